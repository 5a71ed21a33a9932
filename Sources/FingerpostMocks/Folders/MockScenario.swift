import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
public import Foundation

/// A named set of variants, failures and delays, which the file `_scenarios.json` in the mocks folder defines.
///
/// ```json
/// {
///   "locked out": { "login": "locked" },
///   "offline": { "*": { "failure": "notConnectedToInternet" } },
///   "slow": { "*": { "delay": 2 } }
/// }
/// ```
///
/// In a scenario, each key is the name of a mock, or `*` for every mock. The key's value is a variant or an object. The
/// object can have the keys `variant`, `status`, `failure`, `delay` (in seconds) and `times`. The number `times` says
/// how many calls of a test must get the response. If a mock has its own key that sets only a delay, `*` still sets the
/// mock's response. If the key sets only a response, `*` still sets the delay.
///
/// To choose variants for one test, use the trait `.mocks(["login": "locked"])` instead. If a variant is chosen after
/// the scenario, it replaces the scenario's response for that mock, and the scenario's delay still applies. A response
/// set with ``Mocks/set(_:_:)`` replaces the delay too.
///
/// The plugin generates a constant for each scenario: `.lockedOut` for `locked out`.
public struct MockScenario: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The scenario's name in the file.
    public let rawValue: String

    /// Creates a scenario from a name that is known only at run time. The name is checked when the scenario is used.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a scenario from a literal. The name is checked when the scenario is used.
    public init(stringLiteral value: String) { rawValue = value }

    /// The ``rawValue``.
    public var description: String { rawValue }

    /// True if both names have the same bytes.
    public static func == (a: Self, b: Self) -> Bool { ByteName(a.rawValue) == ByteName(b.rawValue) }

    /// Hashes the bytes of the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(ByteName(rawValue)) }
}

extension MockScenario {
    /// All scenarios of the mocks folder that the client finds. Use this list to test every scenario, or to fill the
    /// menu of a demo:
    ///
    /// ```swift
    /// @Test(.mocks, arguments: MockScenario.all) func starts(_ scenario: MockScenario) async throws {
    ///     try Mocks.use(scenario)
    ///     await model.start()
    /// }
    /// ```
    ///
    /// If the scenarios cannot be read, the list contains one placeholder. If a test passes this placeholder to
    /// ``Mocks/use(_:)``, the method throws the reason, so the test above fails.
    public static var all: [MockScenario] { all(in: nil) }

    /// All scenarios of a given mocks folder: see ``all``.
    ///
    /// - Parameter folder: the mocks folder.
    public static func all(in folder: URL) -> [MockScenario] { all(in: folder as URL?) }

    private static func all(in folder: URL?) -> [MockScenario] {
        do {
            return try MockIndexes.index(in: folder)?.scenarioNames().map { MockScenario(rawValue: $0) } ?? []
        } catch {
            // This property cannot throw an error. `Mocks.use` throws the error for this scenario.
            return [MockScenario(rawValue: "_scenarios.json")]
        }
    }
}

extension MockIndex {
    /// Returns the changes of a scenario.
    ///
    /// - Throws: ``APIError`` of the kind `mock` if the scenarios are invalid, or if there is no such scenario.
    func changes(of scenario: MockScenario) throws(APIError) -> MockChanges {
        let (changes, names): (MockChanges?, [String])
        do throws(InvalidFile) {
            (changes, names) = (try self.changes(of: scenario.rawValue), try scenarioNames())
        } catch { throw APIError(error.problems) }
        if let changes { return changes }
        throw APIError(scenario: scenario, among: names)
    }
}

extension APIError {
    /// Creates the error for a scenario that a mocks folder does not have.
    init(scenario: MockScenario, among names: [String]) {
        self.init(
            .mock, "there is no scenario \"\(scenario)\"" + NearestName.hint(scenario.rawValue, in: names),
            fix: names.isEmpty
                ? "add _scenarios.json to the mocks folder"
                : "use \(names.joined(separator: ", ")), or add it to _scenarios.json")
    }
}
