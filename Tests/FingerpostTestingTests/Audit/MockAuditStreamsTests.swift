@testable import FingerpostTesting

/// Mocks whose bodies are streams.
@Suite(.inTurn) struct MockAuditStreamsTests {
    struct Price: Decodable, Sendable {
        var symbol: String
        var cents: Int
    }

    /// Routes with the names of their mocks; an element of each is a price, unless it is text or bytes.
    private static func route(_ mock: String) -> Route {
        let name = mock.components(separatedBy: ".")[0]
        let route = Route.get("\(name)").mock(MockName(rawValue: mock))
        switch name {
        case "text": return route.answers(String.self)
        case "bytes": return route.answers(Data.self)
        case "any": return route
        default: return route.answers(Price.self)
        }
    }

    private static let price = #"{"symbol": "A", "cents": 1}"#
    private static let fix =
        "Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in "
        + "run(…, client: client)"

    /// Files, the mocks of routes, and the findings.
    private static let cases = WrittenCase.table(
        #"""
        Streams that decode
        ticker.events = : a comment↵↵data: ↵↵id: 1↵data: \#(price)↵↵data: {"symbol": "B",↵data: "cents": 2}↵↵data: [DONE]↵↵
        log.ndjson = \#(price)↵↵\#(price)
        mocks = ticker.events log.ndjson

        Streams of text, of bytes and of nothing
        text.events = data: [DONE]↵↵
        bytes.ndjson = a↵b↵
        any.events = data↵↵
        mocks = text.events bytes.ndjson any.events

        An event that does not decode
        ticker.events = data: \#(price)↵↵event: price↵data: {"symbol": "B",↵data: "cents": "2"}↵↵
        mocks = ticker.events
        undecodable ticker.events:5: error: this element of the stream does not decode as Price: Int is expected at cents (GET ticker). \#(fix)

        An event that is not JSON
        ticker.events = data: \#(price)\#r↵\#r↵data: DONE\#r↵\#r↵
        mocks = ticker.events
        undecodable ticker.events:3: error: this element of the stream does not decode as Price: it is not JSON: unexpected D where a value is expected (GET ticker). \#(fix)

        A line that does not decode
        log.ndjson = \#(price)↵↵{"symbol": "B"}↵
        mocks = log.ndjson
        undecodable log.ndjson:3: error: this element of the stream does not decode as Price: the key "cents" is missing (GET log). \#(fix)

        Keys that no model reads
        log.ndjson = \#(price)↵{"symbol": "B", "cents": 2, "at": 1}↵\#(price)↵
        ticker.events = data: {"symbol": "B", "cents": 2,↵data: "at": 1}↵↵
        mocks = log.ndjson ticker.events
        unreadKeys log.ndjson:2: warning: no model reads "[*].at". Fix: remove it from the mock, add it to the model, or silence the warning with options: .init(skipping: [.unreadKeys])
        unreadKeys ticker.events:2: warning: no model reads "[*].at". Fix: remove it from the mock, add it to the model, or silence the warning with options: .init(skipping: [.unreadKeys])

        Events that readers lose
        text.events = data: a↵↵dta: b↵↵event: add↵data: c↵data: d↵
        mocks = text.events
        invalidFile text.events:6: error: no empty line ends this event, so it is lost. Fix: add an empty line at the end of the file
        invalidFile text.events:3: warning: "dta" is not a field of an event, so this line is ignored (did you mean "data"?). Fix: use data, event, id, retry, or put a colon before a comment

        Streams without their extension
        ticker.events = data: \#(price)↵↵
        ticker.mock.json = {"pace": {}}
        ticker.other.events = data: {}↵↵
        log.ndjson = \#(price)
        x.events = data↵↵
        mocks = ticker log
        undecodable ticker.other.events:1: error: this element of the stream does not decode as Price: the key "symbol" is missing (GET ticker). \#(fix)
        orphan x.events: error: no route names this mock. Fix: remove it, name it in a route, add its route to the samples, or leave it out with options: .init(ignoring: …)

        A stream that breaks off
        part.json = 1
        part.mock.json = {"body": "a.ndjson", "failure": "truncated", "after": 1}
        a.ndjson = {}↵
        mocks = part
        undecodable a.ndjson:1: error: this element of the stream does not decode as Price: the key "symbol" is missing (GET part). \#(fix)
        invalidFile part.json: warning: nothing uses this body: the settings part.mock.json name a.ndjson. Fix: remove it

        An error instead of a stream
        ticker.events = data: \#(price)↵↵
        ticker.events.mock.json = {"sequence": [{}, {"status": 503}]}
        mocks = ticker.events
        """#)

    @Test(arguments: cases) func `The elements of streams are decoded`(_ test: WrittenCase) throws {
        let files = Dictionary(uniqueKeysWithValues: test.files.map { ("Mocks/\($0)", $1) })
        let mocks = test.variables["mocks"]?.components(separatedBy: " ") ?? []
        let found = try MockAuditTests.found(files, mocks.map(Self.route))
        #expect(found.map { $0.replacingOccurrences(of: "Mocks/", with: "") } == test.expected)
    }

    @Test func `A key in one element is no absent key`() throws {
        struct Entry: Decodable, Sendable {
            var id: Int
            var note: String?
            var level: Int?
        }
        let found = try MockAuditTests.found(
            ["Mocks/log.ndjson": "{\"id\": 1}\n{\"id\": 2, \"note\": \"x\"}\n"],
            [Route.get("log").mock("log.ndjson").answers(Entry.self)], skipping: [])
        #expect(
            found == [
                #"absentKeys Mocks: warning: no mock contains "level" of Entry, so its decoding is untested. Fix: add it to a mock, or remove it from Entry"#
            ])
    }
}
