public import Foundation

/// Where a response came from.
public enum ResponseSource: Sendable, Hashable {
    /// A server.
    case network
    /// A mock. The associated value is the file in `Mocks/` that the body came from; it is nil if the response has no
    /// body, or if the body was set in code.
    case mock(URL?)
}
