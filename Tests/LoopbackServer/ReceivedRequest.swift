public import Foundation

/// A request as a ``LoopbackServer`` received it.
public struct ReceivedRequest: Sendable {
    /// A header line, its name as it was sent.
    public struct Header: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    public let method: String
    /// What stands in the request line, undecoded: `/users?page=2`.
    public let target: String
    /// `HTTP/1.1`
    public let version: String
    /// In the order they came.
    public let headers: [Header]
    /// Without the framing of chunks; empty where the server only counts.
    public let body: Data
    /// How many bytes the body had.
    public let bodySize: Int
    /// The bytes from the request line to the empty line, both included.
    public let head: Data
    /// Which of the server's connections it came over, counted from 1 in the order they were accepted.
    public let connection: Int

    /// The target up to the `?`.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The target after the `?`, nil without one.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The body as text in UTF-8.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Every value of a header, whatever the letter case of its name.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The values of a header joined with `, `, nil without one.
    public subscript(name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
