import CallSupport
import FingerpostTransfers

/// What passes between the inner transport and the sink of a call.
extension RevalidatingTransportTests {
    private static let request = URLRequest(url: URL(string: "https://t.invalid/x")!)

    /// Notes what it hears.
    private final class NotingSink: CallSink, BodyPace {
        private let list = Locked<[String]>([])
        var notes: [String] { list.withLock { $0 } }
        private func note(_ text: String) { list.withLock { $0.append(text) } }

        func begin(_ head: Response<Void>) { note("begin \(head.status) \(head.source)") }
        func receive(_ bytes: Data) { note("receive \(String(decoding: bytes, as: UTF8.self))") }
        func receive(contentsOf file: URL) { note("file") }
        var isMeasured: Bool { true }
        func note(_ event: TransferEvent) { note("\(event)") }
        var pace: (any BodyPace)? { self }
        var held: ContinuousClock.Instant? { nil }
        var isFull: Bool { true }
        func hold(_ resume: @escaping @Sendable () -> Void) -> Bool {
            note("hold")
            return true
        }
        func wanted() { note("wanted") }
    }

    /// Pushes an answer as a closure says.
    private struct PushingTransport: Transport {
        let push: @Sendable (any BodySink) async throws -> Void

        func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
            let isKept = request.value(forHTTPHeaderField: "If-None-Match") != nil
            try sink.begin(
                Response(
                    status: isKept ? 304 : 200, headers: RevalidatingTransportTests.publicTag, request: request))
            if !isKept { try await push(sink) }
        }
    }

    @Test func `The sink of a call hears what the transport knows, and sets its pace`() async throws {
        let inner = PushingTransport { sink in
            let call = try #require(sink.ofCall)
            let pace = try #require(call.pace)
            #expect(call.isMeasured && pace.isFull)
            call.note(.sent(7))
            call.note(.waitsForConnection)
            call.note(.expects(1))
            try await pace.wanted()
            try sink.receive(Data("a".utf8))
            let isHeld = pace.hold {}
            #expect(isHeld)
        }
        let transport = RevalidatingTransport(around: inner, maximumSize: 1 << 20)
        let sink = NotingSink()
        for _ in 1...2 { try await transport.send(Self.request, for: Self.route, into: sink) }
        let first = [
            "begin 200 the network", "sent(7)", "waitsForConnection", "expects(1)", "wanted", "receive a", "hold",
        ]
        // A 304 is no silence, after which a call might end.
        #expect(sink.notes == first + ["sent(0)", "begin 200 the kept answer that the server confirmed", "receive a"])
    }

    @Test func `A sink of the app has no pace`() async throws {
        let inner = PushingTransport { sink in
            let call = try #require(sink.ofCall)
            #expect(!call.isMeasured && call.pace == nil)
            try sink.receive(Data("a".utf8))
        }
        let transport = RevalidatingTransport(around: inner, maximumSize: 1 << 20)
        let sink = TextSink()
        for _ in 1...2 { try await transport.send(Self.request, for: Self.route, into: sink) }
        #expect(sink.text == "a")
    }

    @Test func `A body that comes as a file is passed on as a file, and copied`() async throws {
        let folder = try TemporaryFolder(["body": "abc"])
        let inner = PushingTransport { try $0.receive(contentsOf: folder["body"]) }
        let transport = RevalidatingTransport(around: inner, maximumSize: 1 << 20)
        let sink = NotingSink()
        for _ in 1...2 { try await transport.send(Self.request, for: Self.route, into: sink) }
        #expect(sink.notes.contains("file") && sink.notes.last == "receive abc")
    }

    /// Throws at the second piece.
    private struct RefusingSink: BodySink {
        func begin(_ head: Response<Void>) {}
        func receive(_ bytes: Data) throws { if bytes == Data("b".utf8) { throw CancellationError() } }
    }

    @Test func `Nothing is kept of a body that the sink refuses, although the transport goes on`() async throws {
        let inner = PushingTransport { sink in
            // A transport may overlook an error of the sink.
            for piece in ["a", "b", "c"] { try? sink.receive(Data(piece.utf8)) }
        }
        let transport = RevalidatingTransport(around: inner, maximumSize: 1 << 20)
        try await transport.send(Self.request, for: Self.route, into: RefusingSink())
        let sink = TextSink()
        try await transport.send(Self.request, for: Self.route, into: sink)
        #expect(sink.text == "abc" && sink.sources == [.network])
    }
}

/// Collects the text of a body, and the sources of its responses.
final class TextSink: BodySink {
    private let received = Locked<(sources: [ResponseSource], text: String)>(([], ""))
    var text: String { received.withLock { $0.text } }
    var sources: [ResponseSource] { received.withLock { $0.sources } }

    func begin(_ head: Response<Void>) {
        received.withLock { ($0.sources, $0.text) = ($0.sources + [head.source], "") }
    }
    func receive(_ bytes: Data) { received.withLock { $0.text += String(decoding: bytes, as: UTF8.self) } }
}
