import Fingerpost
import FingerpostFiles
public import Foundation

extension MockScenario {
    /// All scenarios of the mocks folder that the client finds, for tests of every scenario and for the menu of a demo:
    ///
    /// ```swift
    /// @Test(.mocks, arguments: MockScenario.all) func starts(_ scenario: MockScenario) async throws {
    ///     try Mocks.use(scenario)
    ///     await model.start()
    /// }
    /// ```
    ///
    /// If the scenarios cannot be read, the list contains one whose use throws the reason, so that such a test fails.
    public static var all: [MockScenario] { all(in: nil) }

    /// All scenarios of a mocks folder, as ``all``.
    ///
    /// - Parameter folder: the mocks folder.
    public static func all(in folder: URL) -> [MockScenario] { all(in: folder as URL?) }

    private static func all(in folder: URL?) -> [MockScenario] {
        do throws(APIError) { return try ScenarioFolder.names(in: folder).map { MockScenario(rawValue: $0) } } catch {
            // Nobody can catch an error here. The use of the scenario throws it.
            return [MockScenario(rawValue: "_scenarios.json")]
        }
    }
}
