import FingerpostFiles
import Foundation

/// A recording's body file or settings file. The file is written under a hidden name in its folder and then renamed.
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

    /// Renames the hidden file to its final name, replacing an existing file atomically.
    func takePlace() throws(FileProblem) {
        guard rename(hidden.path, url.path) == 0 else { throw problem(POSIXError(.init(rawValue: errno) ?? .EIO)) }
    }

    /// Removes the hidden file.
    func discard() {
        // An error is ignored, because the hidden file may never have been written or may already have been renamed.
        try? FileManager.default.removeItem(at: hidden)
    }

    /// Deletes a mock's hidden files that an earlier recording left behind because of a crash.
    ///
    /// - Parameter mock: the mock's URL, without a file extension.
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
                message: "files left behind by an earlier recording cannot be removed: \(error.localizedDescription)")
        }
    }

    private func problem(_ error: any Error) -> FileProblem {
        FileProblem(
            path: FilePath.display(url), message: "the recording cannot be written: \(error.localizedDescription)")
    }
}
