import FingerpostChecks
import FingerpostFiles
import FingerpostShared
import Foundation

/// All files of a build. Links are listed but not followed, so that each file is read once.
struct BuiltFiles {
    struct File {
        /// The path relative to the root.
        let path: String
        let kind: FileStatus.Kind
        let size: Int64

        var name: String { path.parts(between: "/").last.map(String.init) ?? path }
    }

    /// The folder that the paths are relative to.
    let root: URL
    /// The root's path as shown in messages.
    let shownRoot: String
    private(set) var files: [File] = []
    private(set) var findings: [FileProblem] = []

    /// - Parameter entries: the names of the root's entries that belong to the build; nil for all entries.
    init(_ root: URL, shown: String, entries: [String]? = nil) {
        (self.root, shownRoot) = (root, shown)
        var folders = [""]
        while let folder = folders.popLast() {
            do {
                let all = try FileManager.default.contentsOfDirectory(atPath: url(of: folder).path)
                for name in folder.isEmpty ? entries ?? all : all {
                    let path = folder.isEmpty ? name : "\(folder)/\(name)"
                    let status = try FileStatus(of: url(of: path).path, followsLinks: false)
                    files.append(File(path: path, kind: status.kind, size: status.size))
                    if status.kind == .folder { folders.append(path) }
                }
            } catch {
                findings.append(
                    FileProblem(
                        .unreadable, self.path(of: folder), "the folder cannot be read: \(error.fileReason)",
                        fix: "make it readable, or copy the whole bundle again"))
            }
        }
        files.sort { $0.path.precedes($1.path) }
    }

    func url(of path: String) -> URL {
        // If the argument `isDirectory` were left out, creating each URL would access the disk.
        path.isEmpty ? root : root.appendingPathComponent(path, isDirectory: false)
    }

    /// A file's path as shown in messages.
    func path(of path: String) -> String {
        if path.isEmpty { return shownRoot }
        return shownRoot == "." ? path : "\(shownRoot)/\(path)"
    }

    /// Returns the path of a file relative to the root, or nil for a file outside the root.
    func relativePath(of file: URL) -> String? {
        let (path, root) = (file.standardizedFileURL.path, root.standardizedFileURL.path)
        if path.isSame(as: root) { return "" }
        return path.begins(with: root + "/") ? String(Substring(path.utf8.dropFirst(root.utf8.count + 1))) : nil
    }

    /// Returns a problem that the library has found, with the path that this report shows. The library may show the
    /// path of the original if a file was copied into a resource bundle.
    ///
    /// - Parameter folder: the folder of the file.
    func shown(_ problem: FileProblem, in folder: URL) -> FileProblem {
        guard let path = problem.path, let relative = relativePath(of: folder) else { return problem }
        var problem = problem
        let known = FilePath.display(folder)
        if path.isSame(as: known) || path.begins(with: known + "/") {
            problem = problem.located(in: self.path(of: relative) + Substring(path.utf8.dropFirst(known.utf8.count)))
        }
        return problem
    }
}
