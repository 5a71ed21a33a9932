import FingerpostFiles
import Foundation

/// Finds a client's mocks folder and caches it.
final class MockFolderCache: Sendable {
    private struct Entry {
        /// The scope's folder.
        var mocks: URL?
        /// The environment that the folder was found for. The environment is retained so that the identity comparison
        /// stays valid.
        var environment: Environment.Contents?
        var folder: MockFolder
    }

    private let found = Locked<Entry?>(nil)

    /// The mocks folder: the scope's folder, or else the given folder, or else the folder that the process variable
    /// `MOCKS_DIR` names, or else `Mocks/` beside the environment's folder, or else the first folder that
    /// `FolderSearch` finds. It is nil when there is no mocks folder.
    ///
    /// - Throws: ``APIError`` of the kind `mock` when the folder cannot be read.
    func folder(given: URL?, environment: Environment?, scope: APIScope?) throws(APIError) -> MockFolder? {
        let mocks = scope?.mocks
        let contents = environment?.contents
        if let entry = found.withLock({ $0 }), entry.environment === contents, entry.mocks == mocks {
            return entry.folder
        }
        guard let url = mocks ?? given ?? Self.ofProcess ?? search(beside: environment) else { return nil }
        let folder = try OpenedMockFolders.folder(at: url)
        found.withLock { $0 = Entry(mocks: mocks, environment: contents, folder: folder) }
        return folder
    }

    /// The folder that the process variable `MOCKS_DIR` names. UI tests set this variable, because they run in a
    /// different process from the app.
    private static let ofProcess: URL? = {
        #if DEBUG
            let path = ProcessInfo.processInfo.environment["MOCKS_DIR"] ?? ""
            return path.isEmpty ? nil : URL(fileURLWithPath: path)
        #else
            return nil
        #endif
    }()

    private func search(beside environment: Environment?) -> URL? {
        if let beside = Self.folder(beside: environment), FileManager.default.fileExists(atPath: beside.path) {
            return beside
        }
        return FolderSearch(MockFolder.name).found
    }

    /// The error for a call that needs a mocks folder when there is none.
    func missing(_ environment: Environment?) -> APIError {
        let beside = Self.folder(beside: environment).map { [FilePath.display($0)] } ?? []
        let places = (beside + FolderSearch(MockFolder.name).lookedIn).joined(separator: ", ")
        return APIError(
            .mock, "the environment is sealed and there is no folder \(MockFolder.name); looked in \(places)",
            fix: "add \(MockFolder.name)/<name>.json, or set the configuration's mocks")
    }

    private static func folder(beside environment: Environment?) -> URL? {
        environment?.file?.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(MockFolder.name)
    }
}
