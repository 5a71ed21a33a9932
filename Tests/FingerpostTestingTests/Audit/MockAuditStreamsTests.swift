import CallSupport

@testable import FingerpostTesting

/// Mocks whose bodies are streams.
@Suite(.inTurn) struct MockAuditStreamsTests {
    struct Price: Decodable, Sendable {
        var symbol: String
        var cents: Int
    }

    private static let ticker = Route.get("ticker").mock("ticker.events").answers(Price.self)
    private static let log = Route.get("log").mock("log.ndjson").answers(Price.self)
    private static let text = Route.get("text").mock("text.events").answers(String.self)
    private static let bytes = Route.get("bytes").mock("bytes.ndjson").answers(Data.self)

    private static let price = #"{"symbol": "A", "cents": 1}"#

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let files: [String: String]
        var routes: [Route]
        var findings: [String] = []
    }

    static let cases = [
        Case(
            testDescription: "Streams that decode",
            files: [
                "ticker.events":
                    ": a comment\n\ndata: \n\nid: 1\ndata: \(price)\n\ndata: {\"symbol\": \"B\",\ndata: \"cents\": 2}\n\n",
                "log.ndjson": "\(price)\n\n\(price)",
            ], routes: [ticker, log]),
        Case(
            testDescription: "Streams of text, of bytes and of nothing",
            files: ["text.events": "data: [DONE]\n\n", "bytes.ndjson": "a\nb\n", "x.events": "data\n\n"],
            routes: [text, bytes, .get("x").mock("x.events")]),
        Case(
            testDescription: "An event that does not decode",
            files: [
                "ticker.events":
                    "data: \(price)\n\nevent: price\ndata: {\"symbol\": \"B\",\ndata: \"cents\": \"2\"}\n\n"
            ],
            routes: [ticker],
            findings: [
                #"undecodable ticker.events:5: error: this element of the stream does not decode as Price: Int is expected at cents (GET ticker). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)"#
            ]),
        Case(
            testDescription: "An event that is not JSON",
            files: ["ticker.events": "data: \(price)\r\n\r\ndata: [DONE]\r\n\r\n"], routes: [ticker],
            findings: [
                #"undecodable ticker.events:3: error: this element of the stream does not decode as Price: it is not JSON: unexpected D where a value is expected (GET ticker). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)"#
            ]),
        Case(
            testDescription: "A line that does not decode", files: ["log.ndjson": "\(price)\n\n{\"symbol\": \"B\"}\n"],
            routes: [log],
            findings: [
                #"undecodable log.ndjson:3: error: this element of the stream does not decode as Price: the key "cents" is missing (GET log). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)"#
            ]),
        Case(
            testDescription: "Keys that no model reads",
            files: [
                "log.ndjson": "\(price)\n{\"symbol\": \"B\", \"cents\": 2, \"at\": 1}\n\(price)\n",
                "ticker.events": "data: {\"symbol\": \"B\", \"cents\": 2,\ndata: \"at\": 1}\n\n",
            ], routes: [log, ticker],
            findings: [
                #"unreadKeys log.ndjson:2: warning: no model reads "[*].at". Fix: remove it from the mock, add it to the model, or silence the warning with options: .init(skipping: [.unreadKeys])"#,
                #"unreadKeys ticker.events:2: warning: no model reads "[*].at". Fix: remove it from the mock, add it to the model, or silence the warning with options: .init(skipping: [.unreadKeys])"#,
            ]),
        Case(
            testDescription: "Events that readers lose",
            files: ["text.events": "data: a\n\ndta: b\n\nevent: add\ndata: c\ndata: d\n"], routes: [text],
            findings: [
                #"invalidFile text.events:6: error: no empty line ends this event, so it is lost. Fix: add an empty line at the end of the file"#,
                #"invalidFile text.events:3: warning: "dta" is not a field of an event, so this line is ignored (did you mean "data"?). Fix: use data, event, id, retry, or put a colon before a comment"#,
            ]),
        Case(
            testDescription: "Streams without their extension",
            files: [
                "ticker.events": "data: \(price)\n\n", "ticker.mock.json": #"{"pace": {}}"#,
                "ticker.other.events": "data: {}\n\n", "log.ndjson": price, "x.events": "data\n\n",
            ],
            routes: [.get("ticker").mock("ticker").answers(Price.self), .get("log").mock("log").answers(Price.self)],
            findings: [
                #"undecodable ticker.other.events:1: error: this element of the stream does not decode as Price: the key "symbol" is missing (GET ticker). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)"#,
                #"orphan x.events: error: no route names this mock. Fix: remove it, name it in a route, add its route to the samples, or leave it out with options: .init(ignoring: …)"#,
            ]),
        Case(
            testDescription: "A stream that breaks off",
            files: [
                "part.json": "1", "part.mock.json": #"{"body": "a.ndjson", "failure": "truncated", "after": 1}"#,
                "a.ndjson": "{}\n",
            ], routes: [Route.get("part").mock("part").answers(Price.self)],
            findings: [
                #"undecodable a.ndjson:1: error: this element of the stream does not decode as Price: the key "symbol" is missing (GET part). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)"#,
                "invalidFile part.json: warning: nothing uses this body: the settings part.mock.json name a.ndjson. Fix: remove it",
            ]),
        Case(
            testDescription: "An error instead of a stream",
            files: [
                "ticker.events": "data: \(price)\n\n",
                "ticker.events.mock.json": #"{"sequence": [{}, {"status": 503}]}"#,
            ], routes: [ticker]),
    ]

    @Test(arguments: cases) func `The elements of streams are decoded`(_ test: Case) throws {
        let files = Dictionary(uniqueKeysWithValues: test.files.map { ("Mocks/\($0)", $1) })
        let found = try MockAuditTests.found(files, test.routes)
        #expect(found.map { $0.replacingOccurrences(of: "Mocks/", with: "") } == test.findings)
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
        #expect(found.count == 1 && found.first?.contains(#"no mock contains "level" of Entry"#) == true)
    }
}
