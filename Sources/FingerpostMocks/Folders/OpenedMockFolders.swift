import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// A cache of the mock folders that the process has opened: each folder is listed once and each body is read once.
///
/// Scopes share this cache, because each test case has its own scope: without the cache, thousands of test cases would
/// each list the same folder again. Folders are only read, so tests cannot affect each other through the cache.
enum OpenedMockFolders {
    private struct Key: Hashable {
        let url: URL
        let isTopLevel: Bool
    }

    private static let opened = Locked<[Key: MockFolder]>([:])

    /// - Parameter isTopLevel: true for the top level of a bundle without a mocks folder.
    /// - Throws: ``APIError`` of the kind `mock` when the folder cannot be read.
    static func folder(at url: URL, isTopLevel: Bool = false) throws(APIError) -> MockFolder {
        let key = Key(url: url, isTopLevel: isTopLevel)
        if let folder = opened.withLock({ $0[key] }) { return folder }
        do throws(FileProblem) {
            let folder = try MockFolder(url: url, isTopLevel: isTopLevel)
            // Otherwise a mock in that folder would count as missing, for the rest of the process.
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
}
