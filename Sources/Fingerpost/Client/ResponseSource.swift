public import Foundation

/// Who answered a call.
public enum ResponseSource: Sendable, Hashable {
    /// A server.
    case network
    /// A file of the folder `Mocks/`.
    case mock(URL)
}
