public import Foundation

/// Where a response came from.
public enum ResponseSource: Sendable, Hashable {
    /// A server.
    case network
    /// A mock. The associated value is the file in `Mocks/` that the body came from; it is nil if the response has no
    /// body, or if the body was set in code.
    case mock(URL?)
    /// A server, which said that the body that the client has kept is still the same: see
    /// ``ClientConfiguration/revalidation``.
    case revalidated
}
