import FingerpostStreams

@testable import FingerpostMockFiles
@testable import FingerpostTesting

/// Bodies that are read as they arrive, and recorded.
@Suite(.inTurn) struct RecordedStreamsTests {
    typealias API = RecorderFixture.API

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// A server that sends one chunk (RFC 9112 section 7.1) and not the last, and leaves the connection open until the
    /// client closes it.
    private static func unfinished(_ text: String, breaksOff: Bool = false) throws -> RecorderFixture {
        try RecorderFixture { _, connection in
            connection.write(head + String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n")
            if breaksOff { connection.close() } else { _ = connection.waitUntilPeerCloses() }
        }
    }

    /// The type and the body of a stream, the file that records it, with the text if it is another, and its pieces.
    private static let cases: [(type: String, body: String, file: String, recorded: String?, each: String)] = [
        ("text/event-stream", "id: 1\ndata: a\n\ndata: b\n\n", "feed.events", nil, "event"),
        (
            "text/event-stream; charset=utf-8", "data: a\r\n\r\ndata: lost\r\n", "feed.events", "data: a\r\n\r\n",
            "event"
        ),
        ("application/x-ndjson", "{\"b\":1,\"a\":2}\n", "feed.ndjson", nil, "line"),
        ("text/plain", "a\nb", "feed.txt", nil, "line"), ("application/octet-stream", "12345", "feed", nil, "bytes:5"),
    ]

    @Test(arguments: cases) func `A whole stream is recorded with its pace, and replayed`(
        type: String, body: String, file: String, recorded: String?, each: String
    ) async throws {
        let studio = try RecorderFixture(answers: [(200, type, body)])
        var read = Data()
        for try await piece in try await studio.client.stream(API.feed) { read += piece }
        let recorded = recorded ?? body
        var replayed = Data()
        let stream = try await studio.replay().stream(API.feed)
        for try await piece in stream { replayed += piece }
        let warnings = studio.lines().filter { $0.hasPrefix("but") }
        let found = try (
            [read, replayed].map { String(decoding: $0, as: UTF8.self) }, studio.bodies(),
            studio.settings(of: "feed")["pace"], stream.headers[.contentType], stream.source == .network, warnings
        )
        #expect(found == ([body, recorded], [file: recorded], ["each": .string(each)], type, false, []))
    }

    /// Answers connections with the streams, and then with 204.
    private static func feed(_ streams: String...) -> LoopbackServer.Handler {
        let count = Locked(0)
        return { _, connection in
            let number = (count.next() - 1) % (streams.count + 1)
            if number == streams.count {
                connection.respond(204)
            } else {
                connection.respond(200, headers: ["Content-Type": "text/event-stream"], body: streams[number])
            }
        }
    }

    @Test func `A feed that ends with 204 is recorded with its end, and played back ends as it did`() async throws {
        let stream = "retry: 100\ndata: 1\n\ndata: 2\n\n"
        let studio = try RecorderFixture(handler: Self.feed(stream))
        // A second recording changes nothing.
        for run in 1...2 {
            let events = try await studio.client.events(API.feed).all().map(\.data)
            let settings = try studio.settings(of: "feed")
            let found = try (
                events, studio.files().keys.sorted(), studio.bodies()["feed.events"], settings["sequence"],
                settings["after"], settings["pace"]?["each"]
            )
            #expect(
                found == (
                    ["1", "2"], ["feed.events", "feed.mock.json"], stream,
                    [["body": "feed.events"], ["status": 204, "failure": "empty"]], "loop", "event"
                ), "\(run): \(studio.lines())")
        }
        let client = try studio.replay()
        let outcome = try await (
            studio.lines().suffix(3).map { $0.prefix { $0 != " " } }, client.events(API.feed).all().map(\.data),
            client.events(API.feed).all().map(\.data), studio.findings(API.feed.route.answers(JSONValue.self))
        )
        #expect(outcome == (["unchanged", "unchanged", "unchanged"], ["1", "2"], ["1", "2"], []))
    }

    @Test func `Of several connections of a feed, the last stream and the end are recorded`() async throws {
        let studio = try RecorderFixture(handler: Self.feed("retry: 100\ndata: 1\n\n", "data: 2\n\n"))
        let found = try await (
            studio.client.events(API.feed).all().map(\.data), studio.bodies(),
            studio.replay().events(API.feed).all().map(\.data)
        )
        #expect(found == (["1", "2"], ["feed.events": "data: 2\n\n"], ["2"]))
    }

    @Test func `A feed that has no events is recorded as its 204`() async throws {
        let studio = try RecorderFixture(handler: Self.feed())
        for _ in 1...2 {
            let events = try await studio.client.events(API.feed).all().map(\.data)
            let found = try (events, studio.files().keys.sorted(), studio.settings(of: "feed")["sequence"])
            #expect(found == ([], ["feed.204", "feed.mock.json"], nil), "\(studio.lines())")
        }
    }

    @Test func `A recorded end goes with the stream, and a sequence of a person stays`() async throws {
        let studio = try RecorderFixture(answer: "{}", ["Content-Type": "application/json"])
        for after in ["loop", "fail"] {
            try studio.folder.write(Data("data: 0\n\n".utf8), to: "Mocks/feed.events")
            let end = #""sequence": [{"body": "feed.events"}, {"status": 204, "failure": "empty"}]"#
            let settings = #"{\#(end), "after": "\#(after)", "pace": {}}"#
            try studio.folder.write(Data(settings.utf8), to: "Mocks/feed.mock.json")
            _ = try await studio.client.data(for: API.feed)
            let sequence = try studio.settings(of: "feed")["sequence"]
            #expect((sequence == nil) == (after == "loop"), "\(after): \(studio.lines())")
        }
    }

    @Test func `A stream whose reader leaves is recorded when the loop has ended`() async throws {
        let studio = try Self.unfinished("data: 1\n\ndata: 2\n\ndata: 3")
        var events: [String] = []
        for try await event in try await studio.client.stream(API.feed).events {
            events.append(event.data)
            if events.count == 2 { break }
        }
        #expect(try studio.bodies() == ["feed.events": "data: 1\n\ndata: 2\n\n"], "\(studio.lines())")
    }

    @Test func `A stream that breaks off is recorded as far as it came`() async throws {
        let studio = try Self.unfinished("data: 1\n\ndata: 2\n\ndata", breaksOff: true)
        await #expect(throws: APIError.self) { _ = try await studio.client.stream(API.feed).events.all() }
        #expect(try studio.bodies() == ["feed.events": "data: 1\n\ndata: 2\n\n"], "\(studio.lines())")
    }

    @Test func `A stream that is open when the test ends is recorded then, once`() async throws {
        let studio = try Self.unfinished("data: 1\n\n")
        let stream = try await studio.client.stream(API.feed)
        var events = stream.events.makeAsyncIterator()
        _ = try await events.next()
        let before = try studio.bodies()
        studio.recorder.finish()
        let lines = studio.lines()
        _ = consume events
        studio.recorder.finish()
        let found = try (before, studio.bodies(), studio.lines())
        #expect(found == ([:], ["feed.events": "data: 1\n\n"], lines))
    }

    @Test func `A stream that cannot be written ends as it came, and fails the test`() async throws {
        let studio = try RecorderFixture(answer: "data: 1\n\n", ["Content-Type": "text/event-stream"])
        try FileManager.default.createSymbolicLink(
            at: studio.folder["Mocks/feed.events"], withDestinationURL: studio.folder["outside"])
        var events: [String] = []
        for try await event in try await studio.client.stream(API.feed).events { events.append(event.data) }
        let failures = studio.recorder.finish()
        let texts = failures.map { [$0.hasPrefix("not written"), $0.contains("link")] }
        #expect((events, failures, texts) == (["1"], studio.recorder.lines, [[true, true]]), "\(failures)")
    }

    @Test func `An error instead of a stream is recorded as before`() async throws {
        let studio = try RecorderFixture(answers: [(503, "application/json", "{}")])
        await #expect(throws: APIError.self) { try await studio.client.stream(API.feed) }
        let found = try (studio.bodies(), studio.settings(of: "feed.503")["pace"])
        #expect(found == (["feed.503.json": "{}"], nil))
    }

    // MARK: Pace

    /// Collects a stream whose pieces come at the given times.
    private func recorded(
        _ type: String?, _ pieces: [(String, Double)], isWhole: Bool = true
    ) throws -> (String, MockPace)? {
        let time = Locked(0.0)
        let written = Locked<[(String, MockPace)]>([])
        let recording = StreamCollector(
            type: type, now: { Date(timeIntervalSinceReferenceDate: time.withLock { $0 }) },
            write: { data, pace in written.withLock { $0.append((String(decoding: data, as: UTF8.self), pace)) } })
        for (text, at) in pieces {
            time.withLock { $0 = at }
            recording.receive(Data(text.utf8))
        }
        for _ in 0..<2 { recording.end(isWhole: isWhole) }
        return written.withLock { $0.count == 1 ? $0[0] : nil }
    }

    static let paces: [(type: String?, pieces: [(String, Double)], unit: MockPace.Unit, delay: Double)] = [
        ("text/event-stream", [("data: 1\n\ndata: 2\n\n", 0.5), ("data: 3\n\n", 0.9)], .event, 0.3),
        ("text/event-stream", [("data: 1\n\n", 0.04)], .event, 0),
        ("application/x-ndjson", [("1\n", 1), ("2", 3)], .line, 1.5),
        ("text/csv", [("a\n", 0)], .line, 0), (nil, [("123", 1), ("4567", 2), ("8", 4)], .bytes(2), 1),
        ("image/png", [], .bytes(1), 0), ("text/event-stream", [("data: 1\n\n", -5)], .event, 0),
    ]

    @Test(arguments: paces) func `The pace is the mean time before a piece`(
        type: String?, pieces: [(String, Double)], unit: MockPace.Unit, delay: Double
    ) throws {
        let pace = try recorded(type, pieces)?.1
        #expect((pace?.unit, pace?.interval) == (unit, .seconds(delay)))
    }

    @Test(arguments: [
        ("text/event-stream", "data: 1", ""), ("application/x-ndjson", "1\r2\r3", "1\r2\r"), ("text/plain", "1", ""),
        ("image/png", "12345", "12345"),
    ])
    func `What was cut off is left out`(type: String, body: String, recorded: String) throws {
        #expect(try self.recorded(type, [(body, 0)], isWhole: false)?.0 == recorded)
    }
}
