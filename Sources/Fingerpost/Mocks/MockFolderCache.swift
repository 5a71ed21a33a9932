import FingerpostFiles
import Foundation

/// Finds a client's folder of mocks and keeps it open.
final class MockFolderCache: Sendable {
    private struct Entry {
        var source: URL?
        var folder: MockFolder
    }

    private let opened = Locked<Entry?>(nil)

    /// The scope's folder, the given one, the one beside the environment's folder, or the one that is found.
    func folder(given: URL?, environment: Environment) throws(APIError) -> MockFolder {
        let explicit = APIScope.current?.mocks ?? given
        let source = explicit ?? environment.file
        if let entry = opened.withLock({ $0 }), entry.source == source { return entry.folder }
        let folder = try open(explicit, environment: environment)
        opened.withLock { $0 = Entry(source: source, folder: folder) }
        return folder
    }

    private func open(_ explicit: URL?, environment: Environment) throws(APIError) -> MockFolder {
        let search = FolderSearch(MockFolder.name)
        let beside = environment.file?.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(MockFolder.name)
        let found = beside.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil } ?? search.found
        guard let url = explicit ?? found else {
            let places = [beside.map { FilePath.display($0) }].compactMap { $0 } + search.lookedIn
            throw APIError(
                .mock,
                "the environment is sealed and there is no folder \(MockFolder.name); looked in \(places.joined(separator: ", "))",
                fix: "add \(MockFolder.name)/<name>.json, or set the configuration's mocks")
        }
        do throws(FileProblem) { return try MockFolder(url: url) } catch {
            throw APIError(.mock, "\(error.path): \(error.message)", fix: "correct the configuration's mocks")
        }
    }
}
