import FingerpostFiles

/// One name for a set of variants, failures and delays, from the file `_scenarios.json` in the mocks folder.
///
/// ```json
/// {
///   "locked out": { "login": "locked" },
///   "offline": { "*": { "failure": "notConnectedToInternet" } },
///   "slow": { "*": { "delay": 2 } }
/// }
/// ```
///
/// A key is the name of a mock, or `*` for every mock. Its value is a variant, or an object with the keys `variant`,
/// `status`, `failure`, `delay` (in seconds) and `times` (how often a test must use the answer). Of a mock with a key
/// of its own, `*` changes only what that key leaves open.
///
/// To choose variants for one test, use the trait `.mocks(["login": "locked"])` instead. A variant that is chosen after
/// the scenario replaces what the scenario says of that mock, except for its delay. An answer set with
/// ``Mocks/set(_:_:)`` replaces all of it.
///
/// The plugin generates a constant for each scenario: `.lockedOut` for `locked out`.
public struct MockScenario: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, as the file writes it.
    public let rawValue: String

    /// Creates a scenario from a name that is known only at run time. The name is checked when the scenario is used.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a scenario from a literal, which is not checked until the scenario is used.
    public init(stringLiteral value: String) { rawValue = value }

    /// The ``rawValue``.
    public var description: String { rawValue }

    /// True if both names have the same bytes.
    public static func == (a: Self, b: Self) -> Bool { ByteName(a.rawValue) == ByteName(b.rawValue) }

    /// Hashes the bytes of the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(ByteName(rawValue)) }
}
