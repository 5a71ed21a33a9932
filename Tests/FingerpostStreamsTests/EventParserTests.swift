import CallSupport

@testable import FingerpostMocks
@testable import FingerpostStreams

/// The rules of the HTML standard for event streams (html.spec.whatwg.org, sections 9.2.5 and 9.2.6).
@Suite(.inTurn) struct EventParserTests {
    /// A stream, and the events in it.
    private struct Rule: Sendable {
        let name: String
        let stream: [UInt8]
        let events: [ServerSentEvent]
        var lastID = ""
        var retry: Int64?

        init(_ name: String, _ stream: String, _ events: [ServerSentEvent], lastID: String = "", retry: Int64? = nil) {
            self.init(name, Array(stream.utf8), events, lastID: lastID, retry: retry)
        }

        init(_ name: String, _ stream: [UInt8], _ events: [ServerSentEvent], lastID: String = "", retry: Int64? = nil) {
            (self.name, self.stream, self.events, self.lastID, self.retry) = (name, stream, events, lastID, retry)
        }
    }

    private static let rules: [Rule] = [
        Rule("one line", "data: a\n\n", ["a"]),
        Rule("several lines", "data: a\ndata: b\ndata:\ndata: c\n\n", ["a\nb\n\nc"]),
        Rule("one space is removed", "data:  a\n\ndata:a\n\ndata: \n\n", [" a", "a", ""]),
        Rule("a tab is not", "data:\ta\n\n", ["\ta"]),
        Rule("no colon", "data\n\ndata\ndata\n\n", ["", "\n"]),
        Rule("colons in the value", "data: a: b\n\n", ["a: b"]),
        Rule("CR", "data: a\r\rdata: b\r\r", ["a", "b"]),
        Rule("CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]),
        Rule("mixed ends", "data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\r", ["a\nb\nc", "d"]),
        Rule("other line ends of Unicode", "data: a\u{2028}b\u{85}c\u{0B}d\n\n", ["a\u{2028}b\u{85}c\u{0B}d"]),
        Rule("comments", ": hi\n:\ndata: a\n:data: b\n\n:\n\n", ["a"]),
        Rule("the kind", "event: add\ndata: a\n\ndata: b\n\n", [ServerSentEvent("a", event: "add"), "b"]),
        Rule("the last kind counts", "event: a\nevent: b\ndata\n\n", [ServerSentEvent("", event: "b")]),
        Rule("an empty kind", "event\ndata: a\n\n", ["a"]),
        Rule("a kind without data", "event: add\n\ndata: a\n\n", ["a"]),
        Rule(
            "identifiers go on", "id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\n",
            [ServerSentEvent("a", id: "1"), ServerSentEvent("b", id: "1"), ServerSentEvent("c", id: "2")], lastID: "2"),
        Rule("an empty identifier removes it", "id: 1\ndata: a\n\nid\ndata: b\n\n", [.init("a", id: "1"), "b"]),
        Rule("an identifier with NUL is ignored", "id: 1\nid: 2\0\ndata: a\n\n", [.init("a", id: "1")], lastID: "1"),
        Rule("an identifier without data counts", "id: 7\n\n", [], lastID: "7"),
        Rule("an identifier without an end does not", "id: 1\n\nid: 2\ndata: a\n", [], lastID: "1"),
        Rule("retry", "retry: 1500\n\n", [], retry: 1500),
        Rule("retry before the end of its event", "retry: 1500\n", [], retry: 1500),
        Rule("retry must be digits", "retry: 1.5\nretry: -1\nretry: +1\nretry:\nretry: 1s\nretry: ١\n\n", []),
        Rule("an endless retry", "retry: 99999999999999999999\n\n", [], retry: .max),
        Rule("unknown fields", "datas: a\nDATA: b\n data: c\ndata : d\nx\n\n", []),
        Rule("NUL in data", "data: a\0b\n\n", ["a\0b"]),
        Rule("invalid UTF-8", Array("data: ".utf8) + [0xFF, 0x61, 0xC3] + Array("\n\n".utf8), ["\u{FFFD}a\u{FFFD}"]),
        Rule("UTF-8", "data: é 🐙\n\n", ["é 🐙"]),
        Rule("an event without an end is dropped", "data: a\n\ndata: b\n", ["a"]),
        Rule("a line without an end is dropped", "data: a\n\ndata: b", ["a"]),
        Rule("many empty lines", "\n\n\ndata: a\n\n\n\n", ["a"]),
        Rule("nothing", "", []),
    ]

    /// What is read from these pieces.
    private func read(_ pieces: [[UInt8]]) -> (found: [ServerSentEvent], parser: EventParser) {
        var (lines, events, found) = (LineParser(), EventParser(), [ServerSentEvent]())
        for piece in pieces {
            lines.append(piece)
            while let line = lines.next() { if let event = events.read(line) { found.append(event) } }
        }
        if let rest = lines.end(), let event = events.read(rest) { found.append(event) }
        return (found, events)
    }

    @Test func `The standard's rules`() {
        for rule in Self.rules {
            for pieces in [[rule.stream], rule.stream.map { [$0] }] {
                let (found, parser) = read(pieces)
                #expect(
                    (found, parser.lastID, parser.retry) == (rule.events, rule.lastID, rule.retry),
                    "\(rule.name), in \(pieces.count) pieces")
            }
        }
    }

    @Test func `What an event is sent as is read as the same event`() throws {
        for event in Self.rules.flatMap(\.events) where !event.data.contains("\0") {
            #expect(try read([Array(#require(event.text).utf8)]).found == [event])
        }
        #expect([ServerSentEvent("a", event: "b\n").text, ServerSentEvent("a", id: "b\0").text] == [nil, nil])
    }
}
