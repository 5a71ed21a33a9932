public import Foundation

/// The source of a response.
public enum ResponseSource: Sendable, Hashable {
    /// A server.
    case network
    /// A mock, with the file in `Mocks/` that the body came from; the file is nil if the response has no body, or if
    /// its body was set in code.
    case mock(URL?)
}
