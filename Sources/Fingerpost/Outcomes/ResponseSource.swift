public import Foundation

/// The source of a response.
public enum ResponseSource: Sendable, Hashable {
    /// A server.
    case network
    /// A mock, with the file in `Mocks/` that the body came from; nil for a response without a body, or with one set in
    /// code.
    case mock(URL?)
}
