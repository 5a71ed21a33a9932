package import FingerpostFiles
import FingerpostShared
import Foundation

extension RegularFile {
    /// The minimum size of a file of which a copy is mapped, in bytes. A smaller file is read into memory.
    package static let mappedSize = 16_000_000

    /// The bytes of the file. Of one of ``mappedSize`` bytes or more, a copy is mapped into memory.
    func mappedContents() throws(FileProblem) -> Data {
        // Without room for a copy, the bytes are in memory.
        if size >= Int64(Self.mappedSize), let data = try? mappedCopy() { return data }
        return try contents()
    }

    /// The bytes of a copy that has no name, so that nobody can change it. The copy takes room on the disk until the
    /// bytes are released, and the system can free their memory meanwhile.
    private func mappedCopy() throws -> Data {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("fingerpost-\(UUID().uuidString)")
        let new = try NewFile.create(at: copy)
        defer { unlink(copy.path) }
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { try new.write(contentsOf: piece) }
        return try Self.mapped(copy)
    }
}
