import FingerpostFiles
import FingerpostShared
import Foundation

/// All files of something that was built. Links are listed, but not followed, so that each file is read once.
struct BuiltFiles {
    struct File {
        /// The path relative to the root; empty for a root that is a file itself.
        let path: String
        let kind: FileStatus.Kind
        let size: Int64
        let version: FileStatus.Version

        init(_ path: String, _ status: FileStatus) {
            (self.path, kind, size, version) = (path, status.kind, status.size, status.version)
        }

        var name: String { path.parts(between: "/").last.map(String.init) ?? path }
    }

    /// The folder, or the executable, that the paths are relative to.
    let root: URL
    /// The root's path as shown in messages.
    let shownRoot: String
    private(set) var files: [File] = []
    /// The version of the root; nil if it is no folder, or not all of it belongs to what was built.
    private var rootVersion: FileStatus.Version?
    private(set) var findings: [FileProblem] = []

    /// - Parameters:
    ///   - entries: the names of the entries of the root that belong to it; nil for all of them.
    ///   - others: the paths of what does not. An installer puts the rest elsewhere, where its links may lead.
    init(_ root: URL, shown: String, entries: [String]? = nil, without others: Set<String> = []) {
        self.root = root
        shownRoot = shown
        guard let status = status(of: "") else { return }
        guard status.kind == .folder else {
            files = [File("", status)]
            return
        }
        // Beside a program, there may be files of others.
        if entries == nil { rootVersion = status.version }
        var folders = [""]
        while let folder = folders.popLast() {
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: url(of: folder).path) } catch {
                findings.append(
                    FileProblem(
                        .unreadable, self.path(of: folder), "the folder cannot be read: \(error.fileReason)",
                        fix: "make it readable, or copy the whole bundle again"))
                continue
            }
            for name in folder.isEmpty ? entries ?? names : names {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                guard !others.contains(url(of: path).path), let status = self.status(of: path) else { continue }
                files.append(File(path, status))
                if status.kind == .folder {
                    folders.append(path)
                    checkFolder(path)
                }
            }
        }
        files.sort { $0.path.precedes($1.path) }
        for file in files where file.kind == .link && others.isEmpty { checkLink(file) }
    }

    private mutating func status(of path: String) -> FileStatus? {
        do throws(POSIXError) { return try FileStatus(of: url(of: path).path, followsLinks: path.isEmpty) } catch {
            findings.append(
                FileProblem(.unreadable, self.path(of: path), "this cannot be read: \(error.fileReason)"))
            return nil
        }
    }

    /// Reports what developers keep beside a bundle. Inside a bundle it ships with it.
    private mutating func checkFolder(_ folder: String) {
        let contents: String
        switch url(of: folder).pathExtension.lowercased() {
        case "xctest": contents = "tests"
        case "dsym": contents = "debug symbols"
        default: return
        }
        findings.append(
            FileProblem(
                .development, path(of: folder), "\(contents) are in the build, and everybody gets them",
                fix: "remove the folder from the phases that copy files into the target, and build for release"))
    }

    /// The path of what a link leads to, relative to the root; nil if it leads out of the build.
    private func target(of link: File) -> String? {
        let target = url(of: link.path).resolvingSymlinksInPath().standardizedFileURL.path
        let root = root.resolvingSymlinksInPath().standardizedFileURL.path
        if target.isSame(as: root) { return "" }
        return target.begins(with: root + "/") ? String(Substring(target.utf8.dropFirst(root.utf8.count + 1))) : nil
    }

    /// The path of the folder that this is, or that a link leads to; nil for anything else, and for a folder outside
    /// the build.
    func folder(at file: File) -> String? {
        switch file.kind {
        case .folder: file.path
        case .link: target(of: file).flatMap { url(of: $0).isFolder ? $0 : nil }
        default: nil
        }
    }

    private mutating func checkLink(_ link: File) {
        let target = url(of: link.path).resolvingSymlinksInPath().standardizedFileURL.path
        if self.target(of: link) == nil {
            findings.append(
                FileProblem(
                    .link, path(of: link.path),
                    "this link leads out of the bundle, to \(target), which other machines do not have",
                    fix: "copy the file itself into the bundle"))
        } else if !FileManager.default.fileExists(atPath: url(of: link.path).path) {
            findings.append(
                FileProblem(
                    .link, path(of: link.path), "this link leads to \(target), which does not exist",
                    fix: "copy the whole bundle again, or remove the link"))
        }
    }

    /// The paths of the files and folders that were built as a whole: the root, or some of its entries.
    var wholes: [String] {
        rootVersion == nil
            ? files.filter { !$0.path.utf8.contains(UInt8(ascii: "/")) }.map { url(of: $0.path).path } : [root.path]
    }

    /// The versions of all files, with their paths as shown in messages.
    var versions: [Version] {
        (rootVersion.map { [Version(path: shownRoot, file: $0)] } ?? [])
            + files.map { Version(path: path(of: $0.path), file: $0.version) }
    }

    struct Version: Hashable {
        let path: String
        let file: FileStatus.Version
    }

    /// The bytes of a file.
    ///
    /// - Throws: an error if it cannot be read, or is not the file that was listed: a link may lead anywhere now.
    func contents(of file: File) throws(FileProblem) -> Data {
        try RegularFile(url(of: file.path), path: path(of: file.path), version: file.version).contents()
    }

    func url(of path: String) -> URL {
        // Without the hint, each URL costs a look at the disk.
        path.isEmpty ? root : root.appendingPathComponent(path, isDirectory: false)
    }

    /// A file's path as shown in messages.
    func path(of path: String) -> String {
        if path.isEmpty { return shownRoot }
        return shownRoot.isSame(as: ".") ? path : "\(shownRoot)/\(path)"
    }

    /// The path, relative to the root, of a file below it; nil for any other file.
    func relativePath(of file: URL) -> String? {
        let (path, root) = (file.standardizedFileURL.path, root.standardizedFileURL.path)
        if path.isSame(as: root) { return "" }
        return path.begins(with: root + "/") ? String(Substring(path.utf8.dropFirst(root.utf8.count + 1))) : nil
    }

    /// A problem that the library has found in a file, with the path that this report shows: the library names the
    /// original of a copy in a resource bundle.
    ///
    /// - Parameter folder: the folder of the file.
    func shown(_ problem: FileProblem, in folder: URL) -> FileProblem {
        guard let path = problem.path, let relative = relativePath(of: folder) else { return problem }
        var problem = problem
        let known = FilePath.display(folder)
        if path.isSame(as: known) {
            problem.details.path = self.path(of: relative)
        } else if path.begins(with: known + "/") {
            problem.details.path = self.path(of: relative) + Substring(path.utf8.dropFirst(known.utf8.count))
        }
        return problem
    }
}
