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

extension ResponseSource: CustomStringConvertible {
    /// The source as messages name it, such as "the mock users.list.json".
    public var description: String {
        switch self {
        case .network: "the network"
        case .mock(nil): "a mock without a file"
        case .mock(let file?): "the mock \(file.lastPathComponent.printable)"
        case .revalidated: "the kept answer that the server confirmed"
        }
    }
}
