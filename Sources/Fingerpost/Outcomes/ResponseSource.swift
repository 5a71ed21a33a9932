public import Foundation

/// Who answered a call.
public enum ResponseSource: Sendable, Hashable {
    /// A server.
    case network
    /// A mock: the file of the folder `Mocks/` that the body came from; nil for an answer without a body or one that code set.
    case mock(URL?)
}
