public import Foundation

/// A request as a ``LoopbackServer`` received it.
public struct ReceivedRequest: Sendable {
    /// A header line, with the name's letter case unchanged.
    public struct Header: Sendable, Hashable {
        /// The name as the client wrote it.
        public let name: String
        /// The value without leading spaces.
        public let value: String
    }

    /// The method of the request line.
    public let method: String
    /// The target of the request line, not decoded: `/users?page=2`.
    public let target: String
    /// The version of the request line: `HTTP/1.1`.
    public let version: String
    /// The header lines in the order of the request.
    public let headers: [Header]
    /// The body without chunk framing; empty if the server only counts bytes.
    public internal(set) var body: Data
    /// The size of the body in bytes.
    public internal(set) var bodySize: Int
    /// The number of the connection, counted from 1 in the order of acceptance.
    public let connection: Int

    /// The target before the `?`.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The target after the `?`; nil without a `?`.
    public var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }

    /// The body as UTF-8 text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// All values of a header; the name is case-insensitive.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The values of a header joined with `, `; nil without the header.
    public subscript(name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
