package import Fingerpost
import FingerpostFiles
package import FingerpostMockFiles
package import Foundation

/// Finds a client's mocks folder and caches it.
final class MockIndexCache: Sendable {
    private struct Entry {
        /// The scope's folder.
        var mocks: URL?
        /// The environment for which the folder was found. The environment is retained: after its release, another
        /// environment could get the same address in memory and would look identical.
        var environment: (any AnyObject & Sendable)?
        var index: MockIndex
    }

    /// The mocks folder in the client's configuration.
    private let configured: URL?
    private let found = Locked<Entry?>(nil)

    init(configured: URL?) {
        self.configured = configured
    }

    /// Returns the index of the mocks folder, or nil if there is no mocks folder. The first of these folders is used:
    ///
    /// 1. the scope's folder
    /// 2. the configuration's folder
    /// 3. the folder in the environment variable `MOCKS_DIR`
    /// 4. `Mocks/` beside the environment's folder
    /// 5. the first folder that `FolderSearch` finds
    /// 6. the top level of a bundle
    ///
    /// - Throws: ``APIError`` of the kind `mock` when the folder cannot be read.
    func index(environment: Environment?, scope: APIScope?) throws(APIError) -> MockIndex? {
        let mocks = scope?.settings.mocks
        let identity = environment?.identity
        let cached = found.withLock { entry -> MockIndex? in
            guard let entry, entry.environment === identity, entry.mocks == mocks else { return nil }
            return entry.index
        }
        if let cached { return cached }
        let named = mocks ?? configured ?? Self.ofProcess
        let opened = if let named { try MockIndexes.index(at: named) } else { try search(beside: environment) }
        guard let index = opened else { return nil }
        if scope == nil { ProcessVariants.current.warnings(for: index).forEach(StandardError.warn) }
        found.withLock { $0 = Entry(mocks: mocks, environment: identity, index: index) }
        return index
    }

    /// The folder that the environment variable `MOCKS_DIR` names. UI tests set this variable, because they run in a
    /// different process from the app.
    private static let ofProcess = DebugBuildVariables.value("MOCKS_DIR").map { URL(fileURLWithPath: $0) }

    private func search(beside environment: Environment?) throws(APIError) -> MockIndex? {
        let (found, topLevel): (URL?, URL?)
        do throws(FileProblem) {
            if let beside = Self.folder(beside: environment), try beside.isExistingFolder() {
                (found, topLevel) = (beside, nil)
            } else {
                let search = try FolderSearch(MockIndex.name, process: .current)
                (found, topLevel) = (search.found, search.topLevel)
            }
        } catch {
            throw APIError(.mock, error)
        }
        if let found { return try MockIndexes.index(at: found) }
        guard let topLevel else { return nil }
        return try MockIndexes.index(at: topLevel, isTopLevel: true)
    }

    /// Returns the error for a call that needs a mocks folder when no mocks folder exists.
    func missing(_ environment: Environment?, scope: APIScope?, _ seal: String) -> APIError {
        do throws(FileProblem) {
            let beside = Self.folder(beside: environment).map { [FilePath.display($0)] } ?? []
            let places = try beside + FolderSearch(MockIndex.name, process: .current).lookedIn
            let sources = sequence(first: scope) { $0?.outer }.lazy.compactMap { $0?.mockSession?.missingSources }.first
            return APIError(
                .mock,
                "there is no folder \(MockIndex.name); looked in \(places.joined(separator: ", ")). "
                    + (sources.map { MockIndex.message(ofMissingSources: $0) + ". " } ?? "") + seal,
                fix: sources.map { _ in MockIndex.fixOfMissingSources }
                    ?? FolderSearch.fix(ofUnbundled: MockIndex.name, process: .current)
                    ?? "add \(MockIndex.name)/<name>.json, or set the configuration's mocks")
        } catch {
            return APIError(.mock, error)
        }
    }

    private static func folder(beside environment: Environment?) -> URL? {
        environment?.file?.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(MockIndex.name)
    }
}

// Tests may run on a machine that did not build them, such as a device or a machine of a CI service.
extension MockIndex {
    package static func message(ofMissingSources path: String) -> String {
        "The sources of this test, \(path), are not on this machine"
    }

    package static let fixOfMissingSources =
        "bundle the mocks: add the plugin FingerpostPlugin to the test target, or write resources: [.copy(\"\(name)\")] "
        + "in place of exclude: [\"\(name)\"]"
}

/// A cache of the mock folders that the process has opened: each folder is listed once and each body is read once.
///
/// Scopes share this cache, because each test case has its own scope: without the cache, thousands of test cases would
/// each list the same folder again. Folders are only read, so tests cannot affect each other through the cache.
package enum MockIndexes {
    private struct Key: Hashable {
        let url: URL
        let isTopLevel: Bool
    }

    private static let opened = Locked([Key: MockIndex]())

    /// - Parameter isTopLevel: true for the top level of a bundle without a mocks folder.
    /// - Throws: ``APIError`` of the kind `mock` when the folder cannot be read.
    static func index(at url: URL, isTopLevel: Bool = false) throws(APIError) -> MockIndex {
        let key = Key(url: url, isTopLevel: isTopLevel)
        if let folder = opened.withLock({ $0[key] }) { return folder }
        do throws(FileProblem) {
            let folder = try MockIndex(url: url, isTopLevel: isTopLevel)
            // Without this error, a mock in an unlisted folder would count as missing for the rest of the process.
            if let problem = folder.unlistedFolder { throw problem }
            // If another thread has opened the same folder in the meantime, use that thread's copy.
            return opened.withLock { opened in
                if let first = opened[key] { return first }
                opened[key] = folder
                return folder
            }
        } catch {
            throw APIError(
                .mock, "\(error.location): \(error.message)",
                fix: "correct the folder's path in the client's configuration, the scope or .mocks(folder:)")
        }
    }

    /// Returns the index of a folder. If `folder` is nil, returns the index of the folder that a client finds, or nil
    /// if there is none.
    ///
    /// - Throws: the errors of ``index(at:isTopLevel:)``.
    package static func index(in folder: URL?) throws(APIError) -> MockIndex? {
        if let folder { return try index(at: folder) }
        // Only the environment's folder matters here. A client reports why the environment cannot be read.
        return try MockIndexCache(configured: nil).index(environment: try? ProcessEnvironment.current.get(), scope: nil)
    }
}
