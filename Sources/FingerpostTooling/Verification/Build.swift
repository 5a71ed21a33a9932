import FingerpostFiles
import FingerpostShared
import Foundation

/// Something that was built as a whole: one app with everything in it, or one executable with what lies beside it.
struct Build {
    let files: BuiltFiles
    /// The parts, beginning with the whole.
    private(set) var parts: [BuildPart] = []
    private(set) var findings: [FileProblem] = []

    /// - Parameter shown: the path as shown in messages.
    init(bundle: URL, shown: String) {
        self.init(BuiltFiles(bundle, shown: shown), kind: BuildPart.Kind(of: bundle) ?? .resources)
        for file in files.files where file.kind == .folder {
            let url = files.url(of: file.path)
            guard let kind = BuildPart.Kind(of: url), kind == .framework || kind.isProcess else { continue }
            add(kind, url, shown: files.path(of: file.path))
        }
        loadFrameworks()
    }

    /// - Parameters:
    ///   - executable: a program, whose resource bundles and libraries lie beside it.
    ///   - ownsFolder: false for a program in a folder whose bundles belong to others.
    init(executable: URL, shown: String, ownsFolder: Bool = true) {
        let folder = executable.deletingLastPathComponent()
        let name = executable.lastPathComponent
        var entries = [name]
        var unreadable: [FileProblem] = []
        if ownsFolder {
            do {
                let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                entries += beside.filter(Self.isPart).sorted()
            } catch {
                unreadable = [
                    FileProblem(
                        .unreadable, FilePath.display(folder), "the folder cannot be read: \(error.fileReason)",
                        fix: "make it readable")
                ]
            }
        }
        let shownFolder = shown.isSame(as: name) ? "." : String(Substring(shown.utf8.dropLast(name.utf8.count + 1)))
        files = BuiltFiles(folder, shown: shownFolder.isEmpty ? "/" : shownFolder, entries: entries)
        findings = unreadable + files.findings
        parts = [
            BuildPart(
                kind: .executable, url: executable, path: shown, info: InfoPlist(), executable: name,
                loaded: ownsFolder ? [folder] : [])
        ]
    }

    /// What is in a folder beside other builds, such as the scripts in an archive.
    init(beside builds: [Build], in folder: URL, shown: String) {
        files = BuiltFiles(folder, shown: shown, without: Set(builds.flatMap(\.files.wholes)))
        findings = files.findings
    }

    /// True for what belongs to a program that lies beside it.
    private static func isPart(_ name: String) -> Bool {
        let url = URL(fileURLWithPath: name)
        switch url.pathExtension {
        // The resources of test targets are no part of a program.
        case "resources", "bundle": return !url.deletingPathExtension().lastPathComponent.ends(with: "Tests")
        case "framework", "so", "dylib": return true
        default: return name.isSame(as: FolderName.environments) || name.isSame(as: FolderName.mocks)
        }
    }

    private init(_ files: BuiltFiles, kind: BuildPart.Kind) {
        self.files = files
        findings = files.findings
        add(kind, files.root, shown: files.shownRoot)
    }

    private mutating func add(_ kind: BuildPart.Kind, _ url: URL, shown: String) {
        let stem = url.deletingPathExtension().lastPathComponent
        do throws(FileProblem) {
            let file = InfoPlist.file(in: url)
            let path = file.flatMap(files.relativePath).map(files.path) ?? shown
            let info = try InfoPlist(file, path: path)
            let executable = info.text("CFBundleExecutable") ?? stem
            parts.append(
                BuildPart(kind: kind, url: url, path: shown, info: info, executable: executable, loaded: [url]))
            if kind == .app || kind == .extension { checkParts(of: url, shown, info, executable) }
        } catch {
            var problem = error
            problem.details.fix = problem.fix ?? "build or copy the whole bundle again"
            findings.append(problem.of(.unreadable))
        }
    }

    /// Reports what a bundle lacks that was copied in part.
    private mutating func checkParts(of url: URL, _ shown: String, _ info: InfoPlist, _ executable: String) {
        let again = "build it again, or copy all of it"
        guard info.document != nil else {
            findings.append(
                FileProblem(.incomplete, shown, "there is no Info.plist, so this is not a whole bundle", fix: again))
            return
        }
        if info.document?.root.entries?.isEmpty != false {
            findings.append(
                info.problem("", "the Info.plist has no keys, so this is not a whole bundle", fix: again)
                    .of(.incomplete))
        }
        let places = ["Contents/MacOS/\(executable)", executable].map(url.appendingPathComponent)
        guard !places.contains(where: { FileManager.default.fileExists(atPath: $0.path) }) else { return }
        findings.append(
            FileProblem(
                .incomplete, shown, "the executable \(executable.quoted) is missing, so this is not a whole bundle",
                fix: again))
    }

    /// Gives each process the frameworks inside it and, for an extension, those of the app around it.
    private mutating func loadFrameworks() {
        let frameworks = parts.filter { $0.kind == .framework }.map(\.url)
        let apps = parts.filter { $0.kind == .app }.map(\.url)
        for index in parts.indices where parts[index].kind.isProcess {
            let own = parts[index].url
            var bundles = [own]
            if parts[index].kind == .extension {
                // The innermost app has the longest path.
                let around = apps.filter { own.path.begins(with: $0.path + "/") }
                bundles += around.sorted { $0.path.utf8.count > $1.path.utf8.count }.prefix(1)
            }
            parts[index].loaded += bundles.flatMap { bundle in
                frameworks.filter { framework in
                    let parent = framework.deletingLastPathComponent().path
                    return ["", "/Frameworks", "/Contents/Frameworks"].contains { parent.isSame(as: bundle.path + $0) }
                }
            }
        }
    }
}
