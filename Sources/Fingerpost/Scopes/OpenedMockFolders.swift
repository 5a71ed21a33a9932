import FingerpostFiles
import Foundation

/// The mock folders that the process has opened, so that each is listed once and each body is read once.
///
/// This is the only state that the whole process shares. Every test case has a scope of its own, and a suite of thousands would list
/// the same folder for each of them. A folder is only ever read, so nothing passes from one test to another here.
enum OpenedMockFolders {
    private static let opened = Locked<[URL: MockFolder]>([:])

    /// - Throws: ``APIError`` of the kind `mock` when the folder cannot be read.
    static func folder(at url: URL) throws(APIError) -> MockFolder {
        if let folder = opened.withLock({ $0[url] }) { return folder }
        do throws(FileProblem) {
            let folder = try MockFolder(url: url)
            // Another thread may have been faster: there is one folder for all of them.
            return opened.withLock { opened in
                if let first = opened[url] { return first }
                opened[url] = folder
                return folder
            }
        } catch {
            throw APIError(
                .mock, "\(error.location): \(error.message)",
                fix: "correct the folder, which the client's configuration, a scope or .mocks(folder:) names")
        }
    }
}
