import FingerpostBuilding
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Finds mocks in a build: mocks folders, and settings and bodies outside of such folders. Also finds credentials in
/// mocks.
struct MockContents {
    private let build: Build
    private let allowsMocks: Bool
    private(set) var findings: [FileProblem] = []
    /// The paths of the mocks folders in the build.
    private var folders: Set<ByteName> = []
    /// The reviewed mocks. Nil if there is no source.
    private let source: MockIndex?
    /// The paths of the source's mocks, keyed by file name. Xcode copies the files of groups into one folder, so a mock
    /// in a build may have lost the rest of its path.
    private let paths: [ByteName: [String]]

    /// - Parameter source: the reviewed mocks folder. Nil if there is none.
    init(_ build: Build, allowsMocks: Bool, source: MockIndex?) {
        self.build = build
        self.allowsMocks = allowsMocks
        self.source = source
        paths = Dictionary(grouping: source?.fileNames ?? []) { path in
            ByteName((path.parts(between: "/").last.map(String.init) ?? path).lowercased())
        }
        for file in build.files.files where file.name.lowercased() == MockIndex.name.lowercased() { check(file) }
        // Xcode copies the files of groups to the top level of a bundle.
        for file in build.files.files where file.kind != .folder && !contains(file) { checkFile(file) }
    }

    private static let fix =
        "leave Mocks out of this configuration, as the article \"Shipping it\" shows; for a demo, pass --allow-mocks"

    private mutating func check(_ file: BuiltFiles.File) {
        let url = build.files.url(of: file.path)
        // Skip a folder inside a mocks folder, because it was checked with the mocks folder.
        guard url.isFolder, !contains(file) else { return }
        do throws(FileProblem) {
            let folder = try MockIndex(url: url)
            let names = folder.allFileNames
            // Because the disks of Macs ignore letter case, a folder `mocks` may belong to the app. Such a folder
            // counts as a mocks folder if it contains a mock.
            let isOfMocks = file.name.isSame(as: MockIndex.name) || names.contains(where: MockFileName.isOfMock)
            guard !names.isEmpty, isOfMocks else { return }
            folders.insert(ByteName(file.path))
            report(MockSecrets.problems(of: folder), .credential, folder)
            guard !allowsMocks else { return report(MockFolderCheck.problems(of: folder), .mocks, folder) }
            let list = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
            findings.append(
                FileProblem(
                    .mocks, build.files.path(of: file.path),
                    "\(names.count.inWords("file")) of mocks, which everybody can read, "
                        + "\(names.count == 1 ? "is" : "are") in the build: \(list)", fix: Self.fix))
        } catch {
            findings.append(build.files.shown(error, in: url).of(.unreadable))
        }
    }

    private mutating func report(_ problems: [FileProblem], _ kind: FileProblem.Kind, _ folder: MockIndex) {
        findings += problems.map { build.files.shown($0, in: folder.url).of(kind) }
    }

    /// Returns true if a file is in a mocks folder.
    func contains(_ file: BuiltFiles.File) -> Bool {
        var rest = file.path[...]
        while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
            rest = rest[..<slash]
            if folders.contains(ByteName(String(rest))) { return true }
        }
        return false
    }

    private mutating func checkFile(_ file: BuiltFiles.File) {
        let path = build.files.path(of: file.path)
        // If the file cannot be read, `ByteSearch` reports the error.
        func contents() -> Data? { try? RegularFile(build.files.url(of: file.path), path: path).contents() }
        let name = file.name.lowercased()
        let message: String
        if MockFileName.isSettings(name) || name.isSame(as: MockFileName.scenarios) {
            message = "the settings of mocks are in the build"
        } else if let mocks = paths[ByteName(name)], let data = contents(),
            // A source file that cannot be read counts as different.
            let mock = mocks.first(where: { (try? source?.contents(of: $0)) == data })
        {
            message = "the mock \(mock) of the source is in the build"
        } else {
            return
        }
        if let data = contents() { findings += MockSecrets.problems(in: data, path: path).map { $0.of(.credential) } }
        if !allowsMocks { findings.append(FileProblem(.mocks, path, message, fix: Self.fix)) }
    }
}

extension MockFileName {
    /// Returns true if the file has an extension that a mock's name can omit.
    fileprivate static func isOfMock(_ file: String) -> Bool {
        bodyTypes.contains { file.lowercased().ends(with: "." + $0) }
    }
}

extension MockSecrets {
    /// Returns one problem for each credential with a known format, in the order of the files.
    static func problems(of folder: MockIndex) -> [FileProblem] {
        folder.allFileNames.flatMap { problems(of: $0, in: folder, by: matches) }
    }

    /// Returns one problem for each credential with a known format in the text of a file.
    static func problems(in data: Data, path: String) -> [FileProblem] {
        matches(in: data).map { problem($0.kind, in: path, line: $0.line) }
    }

    private static func matches(in data: Data) -> [(kind: String, line: Int)] {
        let text = [UInt8](data)
        let found = text.shapedSecrets
        return zip(found, text.lines(at: found.map(\.range.lowerBound))).map { ($0.kind, $1) }
    }
}
