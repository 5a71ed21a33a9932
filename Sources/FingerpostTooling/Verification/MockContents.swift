import FingerpostChecks
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Finds mocks in a build: their folders, their settings among other files, and credentials in them.
struct MockContents {
    private let build: Build
    private let allowsMocks: Bool
    private(set) var findings: [BuildFinding] = []
    /// The folders of mocks.
    private(set) var folders: [MockFolder] = []

    /// - Parameter source: the folder of mocks that was reviewed; nil if there is none.
    init(_ build: Build, allowsMocks: Bool, source: MockFolder?) {
        self.build = build
        self.allowsMocks = allowsMocks
        for file in build.files.files where file.kind == .folder && file.name.isSame(as: MockFolder.name) {
            // A folder inside a folder of mocks is a part of it.
            if contains(file) { continue }
            let url = build.files.url(of: file.path)
            do throws(FileProblem) {
                let folder = try MockFolder(url: url)
                guard !folder.fileNames.isEmpty else { continue }
                folders.append(folder)
                check(folder, build.files.path(of: file.path))
            } catch {
                findings.append(BuildFinding(.unreadable, build.files.shown(error, in: url)))
            }
        }
        if allowsMocks { return }
        checkSettings()
        if let source { checkFlatFiles(source) }
    }

    private static let fix =
        "leave Mocks out of this configuration, as the article \"Shipping it\" shows; "
        + "for a demo, pass --allow-mocks"

    private mutating func check(_ folder: MockFolder, _ path: String) {
        for problem in MockSecrets.problems(of: folder) { report(.credential, problem, folder) }
        guard !allowsMocks else {
            for problem in MockFolderCheck.problems(of: folder) { report(.mocks, problem, folder) }
            return
        }
        let names = folder.fileNames
        // A mock that cannot be read is not counted. All mocks are errors here.
        let recordings = folder.mockNames.filter { name in
            (try? folder.mock(named: name))?.settings?.recorded != nil
        }
        let list = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        findings.append(
            BuildFinding(
                .mocks, path,
                "\(EnvironmentParity.count(names.count, "file")) of mocks, which everybody can read, "
                    + "\(names.count == 1 ? "is" : "are") in the build: \(list)"
                    + (recordings.isEmpty ? "" : "; \(recordings.count) of them recorded from a server"),
                fix: Self.fix))
    }

    private mutating func report(_ kind: BuildFinding.Kind, _ problem: FileProblem, _ folder: MockFolder) {
        findings.append(BuildFinding(kind, build.files.shown(problem, in: folder.url)))
    }

    /// True for a file in a folder of mocks.
    func contains(_ file: BuiltFiles.File) -> Bool {
        let path = build.files.url(of: file.path).path
        return folders.contains { path.begins(with: $0.url.path + "/") }
    }

    /// Reports the settings of mocks among other files. Xcode copies the files of groups there.
    private mutating func checkSettings() {
        for file in build.files.files where file.kind == .file && MockFileName.isSettings(file.name) && !contains(file)
        {
            findings.append(
                BuildFinding(
                    .mocks, build.files.path(of: file.path), "the settings of a mock are in the build", fix: Self.fix))
        }
    }

    /// Reports the bodies of mocks among other files, which only the source tells from the app's own files.
    private mutating func checkFlatFiles(_ source: MockFolder) {
        let mocks = Dictionary(grouping: source.fileNames.filter { !MockFileName.isSettings($0) }) { name in
            ByteName(name.parts(between: "/").last.map(String.init) ?? name)
        }
        for file in build.files.files where file.kind == .file && file.size > 0 && !contains(file) {
            let path = build.files.path(of: file.path)
            // A file that cannot be read is reported when its bytes are searched.
            guard let names = mocks[ByteName(file.name)],
                let data = try? RegularFile.contents(
                    of: build.files.url(of: file.path), path: path, checkSize: { _ in }),
                let name = names.first(where: { (try? source.contents(of: $0)) == data })
            else { continue }
            findings.append(BuildFinding(.mocks, path, "the mock \(name) of the source is in the build", fix: Self.fix))
        }
    }
}
