import FingerpostFiles
import FingerpostShared
import Foundation

/// Something that was built as a whole: one app with everything in it, an archive, or one executable with what lies
/// beside it.
struct Build {
    let files: BuiltFiles
    /// The parts, beginning with the whole.
    private(set) var parts: [BuildPart] = []
    private(set) var findings: [FileProblem] = []

    /// - Parameter folder: a bundle, or the products of an archive.
    init(folder: URL, shown: String) {
        files = BuiltFiles(folder, shown: shown)
        findings = files.findings
        if let kind = BuildPart.Kind(of: folder) { add(kind, folder, shown) }
        for file in files.files where file.kind == .folder {
            let url = files.url(of: file.path)
            guard let kind = BuildPart.Kind(of: url), kind != .resources else { continue }
            add(kind, url, files.path(of: file.path))
        }
        loadFrameworks()
        for file in files.files where file.kind == .link { checkLink(file) }
    }

    /// - Parameters:
    ///   - executable: a program, whose resource bundles and libraries lie beside it.
    ///   - ownsFolder: false for a program in a folder whose bundles belong to others.
    init(executable: URL, shown: String, ownsFolder: Bool = true) {
        let folder = executable.deletingLastPathComponent()
        let name = executable.lastPathComponent
        // If the folder cannot be listed, the list of its files says so.
        let beside = ownsFolder ? (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] : []
        let shownFolder = shown.isSame(as: name) ? "." : String(Substring(shown.utf8.dropLast(name.utf8.count + 1)))
        files = BuiltFiles(
            folder, shown: shownFolder.isEmpty ? "/" : shownFolder,
            entries: [name] + beside.filter(Self.isPart).sorted())
        findings = files.findings
        parts = [
            BuildPart(
                kind: .executable, url: executable, path: shown, info: InfoPlist(), executable: name,
                loaded: ownsFolder ? [folder] : [])
        ]
        for file in files.files where file.kind == .link { checkLink(file) }
    }

    /// True for what belongs to a program that lies beside it.
    private static func isPart(_ name: String) -> Bool {
        let url = URL(fileURLWithPath: name)
        switch url.pathExtension {
        // The resources of test targets are no part of a program.
        case "resources", "bundle": return !url.deletingPathExtension().lastPathComponent.ends(with: "Tests")
        case "framework", "so", "dylib": return true
        // A disk of a Mac ignores letter case.
        default: return [FolderName.environments, FolderName.mocks].contains { $0.lowercased() == name.lowercased() }
        }
    }

    private mutating func add(_ kind: BuildPart.Kind, _ url: URL, _ shown: String) {
        do throws(FileProblem) {
            let file = InfoPlist.file(in: url)
            let info = try InfoPlist(file, path: file.flatMap(files.relativePath).map(files.path) ?? shown)
            let executable = info.text("CFBundleExecutable") ?? url.deletingPathExtension().lastPathComponent
            parts.append(
                BuildPart(kind: kind, url: url, path: shown, info: info, executable: executable, loaded: [url]))
            guard kind.isProcess, file == nil else { return }
            findings.append(
                FileProblem(
                    .incomplete, shown, "there is no Info.plist, so this is not a whole bundle",
                    fix: "build it again, or copy all of it"))
        } catch {
            findings.append(error.unreadable(fix: "build or copy the whole bundle again"))
        }
    }

    /// Gives each process the frameworks inside it and, for an extension, those of the app around it.
    private mutating func loadFrameworks() {
        let frameworks = parts.filter { $0.kind == .framework }.map(\.url)
        for index in parts.indices where parts[index].kind.isProcess {
            let part = parts[index]
            // The innermost app comes last.
            let app = parts.last { part.kind == .extension && $0.kind == .app && $0.contains(part.url) }
            parts[index].loaded += [part.url, app?.url].compactMap(\.self).flatMap { bundle in
                frameworks.filter { framework in
                    let parent = framework.deletingLastPathComponent().path
                    return ["", "/Frameworks", "/Contents/Frameworks"].contains { parent.isSame(as: bundle.path + $0) }
                }
            }
        }
    }

    /// Reports a link in a part that leads out of the build, or that has the path of this machine. An installer puts
    /// what is in no part elsewhere.
    private mutating func checkLink(_ link: BuiltFiles.File) {
        let url = files.url(of: link.path)
        let target = url.resolvingSymlinksInPath().standardizedFileURL.path
        let root = files.root.resolvingSymlinksInPath().standardizedFileURL.path
        // A link that cannot be read leads nowhere.
        let text = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) ?? ""
        let isInside = !text.begins(with: "/") && (target.isSame(as: root) || target.begins(with: root + "/"))
        let isOfPart = parts.contains { part in part.loaded.contains { url.path.begins(with: $0.path + "/") } }
        guard isOfPart || parts.contains(where: { $0.contains(url) }), !isInside else { return }
        findings.append(
            FileProblem(
                .link, files.path(of: link.path),
                "this link leads out of the bundle, to \(target), which other machines do not have",
                fix: "copy the file itself into the bundle"))
    }
}
