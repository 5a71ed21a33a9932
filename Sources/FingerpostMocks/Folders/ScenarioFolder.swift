import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Reads the scenarios of a mocks folder.
enum ScenarioFolder {
    /// The names of all scenarios.
    ///
    /// - Parameter folder: the mocks folder; nil for the one that a client finds.
    /// - Throws: ``APIError`` if the folder or its scenarios cannot be read.
    static func names(in folder: URL?) throws(APIError) -> [String] {
        guard let folder = try opened(folder) else { return [] }
        do throws(InvalidFile) { return try folder.scenarios().names } catch {
            throw APIError(error.problems)
        }
    }

    /// How often a test must use each answer of a scenario, for the answers that say it.
    static func times(of scenario: MockScenario, in folder: URL?) -> [MockName: Int] {
        // Calls and `Mocks.use` report scenarios that cannot be read.
        guard let folder = try? opened(folder), let changes = try? folder.scenarios()[scenario.rawValue] else {
            return [:]
        }
        return Dictionary(
            changes.names.compactMap { name in
                changes[name]?.times.map { (MockName(rawValue: name), $0) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    private static func opened(_ folder: URL?) throws(APIError) -> MockIndex? {
        if let folder { return try MockIndexes.index(at: folder) }
        // A client reports why the environment cannot be read; here, only its folder is of interest.
        return try MockIndexCache(configured: nil).index(
            environment: try? ProcessEnvironment.current.get(), scope: nil)
    }
}

extension MockIndexes {
    /// The names of all mocks in a folder, and which of them have a default answer; nil if the folder cannot be read.
    static func mocks(in folder: URL) -> (names: [String], contains: (String) -> Bool)? {
        // A folder that cannot be read is reported by the calls that need it.
        guard let folder = try? self.index(at: folder) else { return nil }
        return (folder.mockNames, folder.contains)
    }
}
