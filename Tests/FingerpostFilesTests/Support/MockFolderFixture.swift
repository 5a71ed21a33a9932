@testable import FingerpostFiles
@testable import FingerpostMockFiles

extension MockIndex {
    /// The index of files that are not on the disk.
    convenience init(_ files: [String]) {
        self.init(url: URL(fileURLWithPath: "/Mocks"), entries: files.map { Entry(path: $0, kind: .file) })
    }
}

/// A mocks folder for one test, removed with the last reference.
final class MockFolderFixture: Sendable {
    /// The folder `Mocks` inside a temporary folder.
    let url: URL
    private let temporary: TemporaryFolder

    /// - Parameters:
    ///   - files: contents by relative path. A path that ends in `/` is an empty folder.
    ///   - links: the targets of links, by relative path.
    init(_ files: [String: String] = [:], links: [String: String] = [:]) throws {
        temporary = try TemporaryFolder()
        url = temporary.url.resolvingSymlinksInPath().appendingPathComponent("Mocks")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files {
            if path.hasSuffix("/") {
                try FileManager.default.createDirectory(
                    at: url.appendingPathComponent(path), withIntermediateDirectories: true)
            } else {
                try write(Data(text.utf8), to: path)
            }
        }
        for (path, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: url.appendingPathComponent(path).path, withDestinationPath: target)
        }
    }

    func write(_ data: Data, to path: String) throws { try temporary.write(data, to: "Mocks/\(path)") }

    func folder() throws -> MockIndex { try MockIndex(url: url) }

    /// The file and status of the answer, or one line per problem.
    ///
    /// - Parameter folder: the index to ask instead of a new one.
    func answer(_ name: String, variant: String? = nil, in folder: MockIndex? = nil) throws -> String {
        let folder = try folder ?? self.folder()
        do throws(MockIndex.Failure) {
            let mock = try folder.mock(named: name, variant: variant)
            return "\(mock.file ?? "nothing") \(mock.named.status ?? 0)"
        } catch {
            return report(error)
        }
    }

    /// The text of a body, or one line per problem.
    func text(of file: String, in folder: MockIndex) -> String {
        do throws(MockIndex.Failure) {
            return String(decoding: try folder.body(file: file).data, as: UTF8.self)
        } catch {
            return report(error)
        }
    }

    func report(_ failure: MockIndex.Failure) -> String {
        switch failure {
        case .malformedName(let objection): "malformed: \(objection)"
        case .notFound(let nearest): "not found: \(nearest.joined(separator: ", "))"
        case .noVariant(let nearest): "no variant: \(nearest.joined(separator: ", "))"
        case .invalid(let problems): report(problems)
        case .unreadable(let problem): report([problem])
        }
    }

    func report(_ problems: [FileProblem]) -> String {
        problems.map { $0.description.replacingOccurrences(of: url.path + "/", with: "") }.joined(separator: "\n")
    }
}
