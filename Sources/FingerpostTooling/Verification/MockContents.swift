import FingerpostBuilding
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Finds mocks in a build: their folders, their settings among other files, and credentials in them.
struct MockContents {
    private let build: Build
    private let allowsMocks: Bool
    private(set) var findings: [FileProblem] = []
    /// The folders of mocks.
    private(set) var folders: [MockFolder] = []
    /// Their paths in the build.
    private var paths: Set<ByteName> = []

    /// - Parameter source: the folder of mocks that was reviewed; nil if there is none.
    init(_ build: Build, allowsMocks: Bool, source: MockFolder?) {
        self.build = build
        self.allowsMocks = allowsMocks
        for file in build.files.files where file.name.lowercased() == MockFolder.name.lowercased() {
            // A folder inside a folder of mocks is a part of it.
            guard let path = build.files.folder(at: file), !contains(path), !paths.contains(ByteName(path)) else {
                continue
            }
            let url = build.files.url(of: path)
            do throws(FileProblem) {
                let folder = try MockFolder(url: url)
                let names = folder.allFileNames
                // Disks of Macs ignore case, but an app's own folder may have the name in lower case.
                let isOfMocks = file.name.isSame(as: MockFolder.name) || names.contains(where: MockFileName.isOfMock)
                guard !names.isEmpty, isOfMocks else { continue }
                folders.append(folder)
                paths.insert(ByteName(path))
                check(folder, build.files.path(of: file.path))
            } catch {
                findings.append(build.files.shown(error, in: url).of(.unreadable))
            }
        }
        // Xcode copies the files of groups to the top level of a bundle.
        let files = build.files.files.filter { $0.kind == .file && !contains($0) }
        checkCredentials(files)
        if allowsMocks { return }
        checkSettings(files)
        if let source { checkBodies(files, source) }
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
        let names = folder.allFileNames
        // A mock that cannot be read is not counted. All mocks are errors here.
        let recordings = folder.mockNames.filter { name in
            (try? folder.mock(named: name))?.settings?.recorded != nil
        }
        let list = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        findings.append(
            FileProblem(
                .mocks, path,
                "\(names.count.inWords("file")) of mocks, which everybody can read, "
                    + "\(names.count == 1 ? "is" : "are") in the build: \(list)"
                    + (recordings.isEmpty ? "" : "; \(recordings.count) of them recorded from a server"),
                fix: Self.fix))
    }

    private mutating func report(_ kind: FileProblem.Kind, _ problem: FileProblem, _ folder: MockFolder) {
        findings.append(build.files.shown(problem, in: folder.url).of(kind))
    }

    /// True for a file in a folder of mocks.
    func contains(_ file: BuiltFiles.File) -> Bool { contains(file.path) }

    private func contains(_ path: String) -> Bool {
        var rest = path[...]
        while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
            rest = rest[..<slash]
            if paths.contains(ByteName(String(rest))) { return true }
        }
        return false
    }

    // MARK: Among other files

    /// A file that cannot be read is reported when its bytes are searched.
    private func contents(of file: BuiltFiles.File) -> Data? {
        try? build.files.contents(of: file)
    }

    private static func isSettings(_ file: BuiltFiles.File) -> Bool {
        MockFileName.isSettings(file.name) || file.name.isSame(as: MockFileName.scenarios)
    }

    /// Reports credentials in the settings of mocks, and in the bodies of a demo without a folder of mocks. Other files
    /// of an app may contain keys that are public.
    private mutating func checkCredentials(_ files: [BuiltFiles.File]) {
        let hasBodies = allowsMocks && folders.isEmpty
        for file in files {
            let isMock =
                hasBodies && MockFileName.isOfMock(file.name)
                && EnvironmentFile(url: build.files.url(of: file.path)) == nil
            guard isMock || Self.isSettings(file), let data = contents(of: file) else { continue }
            let problems = MockSecrets.problems(in: data, path: build.files.path(of: file.path))
            findings += problems.map { $0.of(.credential) }
        }
    }

    /// Reports the settings of mocks.
    private mutating func checkSettings(_ files: [BuiltFiles.File]) {
        for file in files where Self.isSettings(file) {
            findings.append(
                FileProblem(
                    .mocks, build.files.path(of: file.path), "the settings of mocks are in the build", fix: Self.fix))
        }
    }

    /// Reports the bodies of mocks, which only the source tells from the app's own files.
    private mutating func checkBodies(_ files: [BuiltFiles.File], _ source: MockFolder) {
        let names = Set(files.map { ByteName($0.name) })
        var mocks: [Body: String] = [:]
        for mock in source.fileNames where !MockFileName.isSettings(mock) {
            let name = ByteName(mock.parts(between: "/").last.map(String.init) ?? mock)
            // What cannot be read in the source is not in the build either.
            guard names.contains(name), let data = try? source.contents(of: mock) else { continue }
            let body = Body(name, data)
            mocks[body] = mocks[body] ?? mock
        }
        let known = Set(mocks.keys.map(\.name))
        for file in files where file.size > 0 && known.contains(ByteName(file.name)) {
            guard let data = contents(of: file), let mock = mocks[Body(ByteName(file.name), data)] else { continue }
            findings.append(
                FileProblem(
                    .mocks, build.files.path(of: file.path), "the mock \(mock) of the source is in the build",
                    fix: Self.fix))
        }
    }

    /// The name and the content of a mock, whose white space and order of keys do not matter.
    private struct Body: Hashable {
        let name: ByteName
        private let content: Data

        init(_ name: ByteName, _ data: Data) {
            self.name = name
            // What is not JSON is compared byte for byte.
            content = (try? JSONReader.inspect(data)?.json()) ?? data
        }
    }
}

extension MockFileName {
    /// True for a file with an extension that a mock's name can leave out.
    fileprivate static func isOfMock(_ file: String) -> Bool { bodyTypes.contains { file.ends(with: "." + $0) } }
}
