import FingerpostFiles
import Foundation

/// A file of a recording, which is written under a hidden name beside its place before it takes that.
struct RecordedFile {
    private static let ending = ".recording"

    let url: URL
    let data: Data

    private var hidden: URL {
        url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent)\(Self.ending)")
    }

    /// Writes the data under the hidden name.
    func prepare() throws(FileProblem) {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: hidden)
        } catch {
            throw problem(error)
        }
    }

    /// Becomes the file in its place, in one step.
    func takePlace() throws(FileProblem) {
        guard rename(hidden.path, url.path) == 0 else { throw problem(POSIXError(.init(rawValue: errno) ?? .EIO)) }
    }

    /// Removes what was prepared.
    func discard() {
        // It may never have been written, or have taken its place.
        try? FileManager.default.removeItem(at: hidden)
    }

    /// Removes what processes that died have prepared for a mock.
    ///
    /// - Parameter mock: its place, without an extension.
    static func removeLeftovers(of mock: URL) throws(FileProblem) {
        let folder = mock.deletingLastPathComponent()
        guard folder.isFolder else { return }
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where name.hasPrefix(".\(mock.lastPathComponent).") && name.hasSuffix(ending) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
        } catch {
            throw FileProblem(
                path: FilePath.display(folder),
                message: "what an earlier recording left behind cannot be removed: \(error.localizedDescription)")
        }
    }

    private func problem(_ error: any Error) -> FileProblem {
        FileProblem(
            path: FilePath.display(url), message: "the recording cannot be written: \(error.localizedDescription)")
    }
}
