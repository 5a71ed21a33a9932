import FingerpostFiles
import FingerpostShared
import Foundation

/// The files of one recording, in one hidden file beside the mock. The hidden file gets its name in one step, before
/// the first of the recording's files is replaced. If the process ends while the files are replaced, the next recording
/// in the folder finishes the replacement. A mock therefore never keeps one recording's body beside another recording's
/// settings.
struct ReplacementJournal {
    private static let ending = ".recording"
    private static let unfinishedEnding = ".recording-part"

    private struct Content: Codable {
        /// The files to write, by name.
        var written: [String: Data]
        /// The names of the files to remove.
        var removed: [String]
    }

    private let url: URL
    private let content: Content

    private var folder: URL { url.deletingLastPathComponent() }

    /// - Parameters:
    ///   - folder: the folder of the mock.
    ///   - files: the files to write, by name.
    ///   - removed: the names of the files to remove.
    init(in folder: URL, writing files: [String: Data], removing removed: [String]) {
        url = folder.appendingPathComponent(".\(UUID().uuidString)\(Self.ending)")
        content = Content(written: files, removed: removed)
    }

    private init(contentsOf url: URL) throws {
        self.url = url
        content = try PropertyListDecoder().decode(Content.self, from: Data(contentsOf: url))
    }

    /// Writes the files.
    func write() throws(FileProblem) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // After the journal is written, nothing may fail because of a name.
            for name in content.written.keys { try checkLength(of: folder.appendingPathComponent(name)) }
            try replace(url, with: PropertyListEncoder().encode(content))
            try finish()
        } catch {
            throw FileProblem(
                path: FilePath.display(folder),
                message: "the recording cannot be written: \(error.localizedDescription)")
        }
    }

    private func checkLength(of file: URL) throws {
        var status = stat()
        if lstat(file.path, &status) != 0, errno == ENAMETOOLONG { throw POSIXError(.ENAMETOOLONG) }
    }

    private func finish() throws {
        for (name, data) in content.written.sorted(by: { $0.key < $1.key }) {
            try replace(folder.appendingPathComponent(name), with: data)
        }
        for name in content.removed {
            let file = folder.appendingPathComponent(name)
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
        }
        try FileManager.default.removeItem(at: url)
    }

    /// Replaces a file in one step. The file keeps its mode and its attributes.
    private func replace(_ file: URL, with data: Data) throws {
        let new = folder.appendingPathComponent(".\(UUID().uuidString)\(Self.unfinishedEnding)")
        defer { unlink(new.path) }
        try NewFile.write(data, to: new, mode: 0o666)
        try NewFile.move(new, to: file)
    }

    /// Finishes the recordings that a crash interrupted, and removes the files that such recordings left behind.
    ///
    /// - Parameter folder: the folder of a mock.
    static func finishAll(in folder: URL) throws(FileProblem) {
        guard folder.isFolder else { return }
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.begins(with: ".") {
                let file = folder.appendingPathComponent(name)
                if name.ends(with: ending) {
                    try ReplacementJournal(contentsOf: file).finish()
                } else if name.ends(with: unfinishedEnding) {
                    try FileManager.default.removeItem(at: file)
                }
            }
        } catch {
            throw FileProblem(
                path: FilePath.display(folder),
                message: "an interrupted recording cannot be finished: \(error.localizedDescription)",
                fix: "remove the hidden files that end in \(ending)")
        }
    }
}
