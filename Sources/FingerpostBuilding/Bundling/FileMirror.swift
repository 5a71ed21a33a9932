import FingerpostFiles
import Foundation

/// Keeps copies of files up to date without writing files that have not changed.
enum FileMirror {
    /// Updates the `copy` folder so that it contains exactly the wanted files from `source`. Symbolic links are
    /// followed.
    ///
    /// - Parameters:
    ///   - source: the folder to copy from. A folder that does not exist counts as empty.
    ///   - isWanted: receives a file's path relative to `source`, and returns true if the file must be copied.
    /// - Throws: an error if a file cannot be read, written or removed.
    static func copy(_ source: URL, to copy: URL, where isWanted: (String) -> Bool) throws(FileProblem) {
        let files = Set(paths(below: source).filter { isWanted($0) && !source.appendingPathComponent($0).isFolder })
        do {
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            var needed = files
            for file in files {
                let parts = file.split(separator: "/")
                for count in 1..<max(parts.count, 1) { needed.insert(parts.prefix(count).joined(separator: "/")) }
            }
            for path in paths(below: copy) {
                let old = copy.appendingPathComponent(path)
                let isGone = !FileManager.default.fileExists(atPath: old.path)
                if !isGone, !needed.contains(path) || old.isFolder == files.contains(path) {
                    try FileManager.default.removeItem(at: old)
                }
            }
        } catch {
            throw FileProblem(path: copy.path, message: "the copy cannot be created: \(error.localizedDescription)")
        }
        for file in files.sorted() {
            let data: Data
            do { data = try Data(contentsOf: source.appendingPathComponent(file)) } catch {
                throw FileProblem(
                    path: FilePath.display(source.appendingPathComponent(file)),
                    message: "the file cannot be read: \(error.localizedDescription)")
            }
            try write(data, to: copy.appendingPathComponent(file))
        }
    }

    /// Writes data to a file, unless the file already contains exactly this data.
    static func write(_ data: Data, to file: URL) throws(FileProblem) {
        // If the old file cannot be read, the attempt to write the file reports the reason.
        if let old = try? Data(contentsOf: file), old == data { return }
        do {
            let before = second(of: file)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file, options: .atomic)
            // The compiler compares modification dates in whole seconds, so it would miss the later of two changes made
            // within the same second.
            if let before, let now = second(of: file), now <= before {
                let next = Date(timeIntervalSince1970: before + 1)
                try FileManager.default.setAttributes([.modificationDate: next], ofItemAtPath: file.path)
            }
        } catch {
            throw FileProblem(path: file.path, message: "the file cannot be written: \(error.localizedDescription)")
        }
    }

    /// A file's modification date, in whole seconds since 1970; nil if the file does not exist.
    private static func second(of file: URL) -> TimeInterval? {
        // If the attributes of an existing file cannot be read, writing the file reports the error.
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970.rounded(.down)
    }

    private static func paths(below folder: URL) -> [String] {
        FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    }
}
