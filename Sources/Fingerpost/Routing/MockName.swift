import FingerpostFiles

/// The name of the mock that answers a route in tests: the path of a file in `Mocks/`, without the extension `.json`.
/// For a stream, leave out `.events` or `.ndjson` instead.
///
/// ```swift
/// var mock: MockName? { "users/show" }   // Mocks/users/show.json
/// ```
///
/// If the mock files of a router have the names of its cases, leave the property `mock` out: see ``Routable/mock``.
///
/// Names match files byte for byte, including letter case, on every system; `"user"` and `"user.json"` are the same
/// name. If the body is not JSON, include the file extension: `"avatar.png"`. A name is invalid if it could lead
/// outside `Mocks/` (`..`, a leading `/`, NUL), or if it is the name of a hidden file. The name `_scenarios` is also
/// invalid, because the file with the scenarios has this name. For an invalid name, the mock lookup fails with
/// ``APIError/Kind-swift.enum/mock``, and nothing is recorded.
public struct MockName: Hashable, Sendable, RawRepresentable, ExpressibleByStringInterpolation, CustomStringConvertible
{
    /// The name as written, with or without `.json`.
    public let rawValue: String

    /// Creates a name from a string that is known only at run time. The name is checked when the mock is looked up.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the name from a literal, which is not checked until the mock is looked up.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name for a route that deliberately has no mock. If a route sets no mock name, its mock has the name of the
    /// router's enum case: see ``Routable/mock``.
    public static let unmocked = MockName(rawValue: "\0")  // No file's name contains NUL.

    package var isUnmocked: Bool { rawValue == Self.unmocked.rawValue }

    /// The ``rawValue``; `unmocked` for ``unmocked``.
    public var description: String { isUnmocked ? "unmocked" : rawValue }

    /// True if both names belong to the same mock: `"user"` and `"user.json"` are equal.
    public static func == (name: MockName, other: MockName) -> Bool { name.key == other.key }

    /// Hashes the name so that equal names have the same hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: ByteName { ByteName(rawValue.mockName) }
}
