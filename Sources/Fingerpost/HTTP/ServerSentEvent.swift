import FingerpostFiles

/// One event of a server: see `ResponseStream.events` and `events(_:)`.
///
/// The format is that of the HTML standard (html.spec.whatwg.org, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's data, its lines joined by line feeds.
    public var data: String
    /// The kind of the event; `message` if the server names none.
    public var event: String
    /// The last identifier that the server has sent, with this event or an earlier one; nil if there is none.
    public var id: String?

    /// Creates an event, for the mocks of a test: see `MockAnswer.events(_:every:ending:)`.
    public init(_ data: String, event: String = "message", id: String? = nil) {
        (self.data, self.event, self.id) = (data, event, id)
    }

    /// The event as a server sends it; nil if the name or the identifier has characters that cannot be sent.
    package var text: String? {
        if event.hasAny(of: "\0\r\n") || id?.hasAny(of: "\0\r\n") == true { return nil }
        var text = event == "message" ? "" : "event: \(event)\n"
        if let id { text += "id: \(id)\n" }
        var lines = LineParser()
        lines.append(Array(data.utf8))
        while let line = lines.next() { text += "data: \(String(decoding: line, as: UTF8.self))\n" }
        return text + "data: \(String(decoding: lines.begun, as: UTF8.self))\n\n"
    }
}

extension ServerSentEvent: ExpressibleByStringLiteral {
    /// An event with this data.
    public init(stringLiteral data: String) { self.init(data) }
}
