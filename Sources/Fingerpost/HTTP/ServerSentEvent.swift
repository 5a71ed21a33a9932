/// One event that a server sends: see `ResponseStream.events` and `events(_:)`.
///
/// The format is that of the HTML standard (html.spec.whatwg.org, section 9.2).
public struct ServerSentEvent: Sendable, Equatable {
    /// The event's data. Several lines of data are joined by line feeds.
    public var data: String
    /// The kind of the event; `message` if the server names none.
    public var event: String
    /// The last identifier that the server has sent, with this event or an earlier one; nil if the server has sent
    /// none.
    public var id: String?

    /// Creates an event, for the mocks of a test: see `MockResponse.events(_:every:ending:)`.
    public init(_ data: String, event: String = "message", id: String? = nil) {
        (self.data, self.event, self.id) = (data, event, id)
    }
}

extension ServerSentEvent: ExpressibleByStringLiteral {
    /// Creates an event with this data.
    public init(stringLiteral data: String) { self.init(data) }
}
