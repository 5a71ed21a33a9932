import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Answers from the answers set in code and from the files of a mocks folder. `Fingerpost` finds this class by its
/// name: do not rename it.
final class MockFolderEngine: MockEngine, DeskOwner {
    private let folders: MockFolderCache
    /// What is chosen for calls without a scope.
    private let choices = MockChoices(
        variants: ProcessVariants.current.variants, scenario: ProcessVariants.scenario)

    init(folder: URL?) {
        folders = MockFolderCache(configured: folder)
    }

    func mocks(for call: CallContext, sealedBy sealing: Environment?) -> any CallMocks {
        MockTransport(in: call, sealedBy: sealing, folders, choices)
    }

    static func mocks(in folder: URL) -> (names: [String], contains: (String) -> Bool)? {
        // A folder that cannot be read is reported by the calls that need it.
        guard let folder = try? OpenedMockFolders.folder(at: folder) else { return nil }
        return (folder.mockNames, folder.contains)
    }

    static func scenarios(in folder: URL?) throws(APIError) -> [String] {
        guard let folder = try opened(folder) else { return [] }
        do throws(InvalidFile) { return try folder.scenarios().names } catch {
            throw APIError(scenarios: error)
        }
    }

    static func newState() -> any MockState { MockPlayback() }

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

    static var desk: any Desk.Type { StrictDesk.self }

    private static func opened(_ folder: URL?) throws(APIError) -> MockFolder? {
        if let folder { return try OpenedMockFolders.folder(at: folder) }
        // A client reports why the environment cannot be read; here, only its folder is of interest.
        return try MockFolderCache(configured: nil).folder(
            environment: try? ProcessEnvironment.current.get(), scope: nil)
    }
}
