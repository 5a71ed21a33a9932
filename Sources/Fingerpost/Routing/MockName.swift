import FingerpostFiles

/// The name of the mock that answers a route in tests: a file of the folder `Mocks/`, without `.json`.
///
/// ```swift
/// var mock: MockName? { "users/show" }   // Mocks/users/show.json
/// ```
///
/// Names match files byte for byte, letter case included, on every system; `"user"` and `"user.json"` are one name. Another type of
/// body is named with its extension: `"avatar.png"`. Names that could lead outside the folder (`..`, a leading `/`, NUL) are refused when the
/// mock is looked for, with ``APIError/Kind-swift.enum/mock``.
public struct MockName: Hashable, Sendable, RawRepresentable, ExpressibleByStringInterpolation, CustomStringConvertible
{
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        rawValue = value
    }

    public var description: String { rawValue }

    public static func == (name: MockName, other: MockName) -> Bool { name.key == other.key }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: ByteName { ByteName(MockFileName.mockName(of: rawValue)) }
}
