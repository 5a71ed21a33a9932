import CallSupport
import FingerpostTransfers

@testable import Fingerpost

/// What `Transport` promises to a transport of the app.
@Suite(.inTurn, .concurrent) struct TransportContractTests {
    private struct LostByOtherClient: Error {}

    private static func posix(_ code: POSIXErrorCode) -> NSError {
        NSError(domain: NSPOSIXErrorDomain, code: Int(code.rawValue))
    }

    private static let errors: [(any Error, isSentAgain: Bool)] = [
        (URLError(.networkConnectionLost, userInfo: [NSUnderlyingErrorKey: LostByOtherClient()]), true),
        (URLError(.cannotConnectToHost), true), (URLError(.cannotFindHost), true), (URLError(.dnsLookupFailed), true),
        (URLError(.notConnectedToInternet), true), (URLError(.timedOut), true), (URLError(.badServerResponse), true),
        (posix(.ECONNRESET), true), (posix(.ECONNABORTED), true), (posix(.ENOTCONN), true), (posix(.ETIMEDOUT), true),
        (posix(.EPROTO), true), (posix(.ECONNREFUSED), false), (LostByOtherClient(), false),
        (URLError(.unknown), false), (URLError(.serverCertificateUntrusted), false), (URLError(.cancelled), false),
        (CancellationError(), false),
    ]

    @Test func `The errors of its table are sent again, and no others`() async {
        for (error, isSentAgain) in Self.errors {
            let count = Locked(0)
            let transport = ClosureTransport { _, _ in
                count.withLock { $0 += 1 }
                throw error
            }
            await #expect(throws: APIError.self) {
                try await transport.client { $0.retry = .atOnce(2) }.send(Route.get("x"))
            }
            #expect(count.withLock { $0 } == (isSentAgain ? 2 : 1), "\(error)")
        }
    }

    /// Of a redirect without a `Location`, Foundation on Linux reports only that the task is over.
    @Test func `Of two responses of a transport, the last one counts`() async throws {
        // Sends each request twice into the same sink, as a transport does that has retries of its own.
        let transport = ClosureTransport { request, sink in
            for _ in 1...2 { try await URLSessionTransport().send(request, for: .get("x"), into: sink) }
        }
        for (second, expected) in [
            ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "302 "),
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nnew", "404 new"),
        ] {
            let answers = Locked([second, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold"])
            let server = try LoopbackServer { _, connection in connection.write(answers.withLock { $0.removeLast() }) }
            let client = APIClient(baseURL: server.baseURL) { $0.transport = transport }
            let response = try await client.response(for: Route.get("x").acceptedStatuses(.all), as: Data.self)
            #expect("\(response.status) \(String(decoding: response.data, as: UTF8.self))" == expected)
        }
    }

    @Test func `A body that comes as a file counts in the log and in the progress`() async throws {
        let (folder, list, log) = (try TemporaryFolder(["body": "film"]), CallList(), ProgressLog())
        let client = ClosureTransport { request, sink in
            try sink.begin(Response(status: 200, request: request))
            try sink.receive(contentsOf: folder["body"])
        }.client { $0.observers = [list] }
        _ = try await client.data(for: Route.get("x"), progress: log.add)
        try await client.download(Route.get("x"), to: folder["file"], progress: log.add)
        try await client.send(Route.get("x"), into: NotingSink())
        let reported = log.all.filter(\.isFinished).map(\.completedBytes)
        #expect((list.calls.map(\.responseSize), reported) == ([4, 4, 4], [4, 4]))
    }

    /// Writes into the sink of its first attempt while the second one is on its way.
    private final class Late: Transport {
        private let attempts = Locked(0)
        private let (isSecond, hasWritten) = (Locked(false), Locked(false))

        func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
            let head = Response<Void>(status: 200, headers: [:], request: request)
            try sink.begin(head)
            if attempts.next() == 1 {
                Task.detached { [isSecond, hasWritten] in
                    await poll { isSecond.withLock(\.self) }
                    try? sink.begin(head)
                    try? sink.receive(Data("late".utf8))
                    hasWritten.withLock { $0 = true }
                }
                throw URLError(.networkConnectionLost)
            }
            isSecond.withLock { $0 = true }
            await poll { hasWritten.withLock(\.self) }
            try sink.receive(Data("film".utf8))
        }

        var retryingClient: APIClient { client { $0.retry = .atOnce() } }
    }

    @Test func `What a transport passes of an attempt that is over counts for nothing`() async throws {
        let (folder, log, sink) = (try TemporaryFolder(), ProgressLog(), NotingSink())
        try await Late().retryingClient.download(Route.get("x"), to: folder["file"], progress: log.add)
        try await Late().retryingClient.send(Route.get("x"), into: sink)
        let found = try (String(contentsOf: folder["file"], encoding: .utf8), log.outcome, sink.steps)
        #expect(found == ("film", .end(4, total: 4, attempt: 2), ["200", "200", "film"]))
    }

    /// Ignores its cancellation, and goes on when the call is over.
    private final class Stubborn: Transport {
        let (hasBegun, isOver, hasWritten) = (Locked(false), Locked(false), Locked(false))

        func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
            try sink.begin(Response(status: 200, request: request))
            try sink.receive(Data("a".utf8))
            hasBegun.withLock { $0 = true }
            // A cancelled task cannot wait.
            await Task.detached { [isOver] in await poll { isOver.withLock(\.self) } }.value
            try? sink.receive(Data("late".utf8))
            hasWritten.withLock { $0 = true }
        }
    }

    @Test(arguments: [nil, Duration.seconds(60)])
    func `What a transport passes after its call counts for nothing, and is not kept`(idle: Duration?) async throws {
        let (sink, list) = (NotingSink(), CallList())
        let calls: [@Sendable (APIClient) async throws -> Void] = [
            { try await $0.send(Route.get("x"), into: sink) }, { _ = try await $0.data(for: Route.get("x")) },
        ]
        for call in calls {
            let transport = Stubborn()
            let client = transport.client { ($0.idleTimeout, $0.observers) = (idle, [list]) }
            let task = Task { try await call(client) }
            await poll { transport.hasBegun.withLock(\.self) }
            task.cancel()
            #expect(try await failure { try await task.value }.kind == .cancelled)
            transport.isOver.withLock { $0 = true }
            await poll { transport.hasWritten.withLock(\.self) }
        }
        await settle()
        #expect((sink.steps, list.calls.map { $0.record.evidence.responses.count }) == (["200", "a"], [0, 0]))
    }

    @Test func `A 401 that breaks off is refreshed, whichever error says so`() async throws {
        for error in [URLError(.networkConnectionLost) as any Error, Self.posix(.ECONNRESET)] {
            // Rejects the old token with a body that breaks off.
            let client = ClosureTransport { request, sink in
                let isNew = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
                try sink.begin(Response(status: isNew ? 200 : 401, request: request))
                try sink.receive(Data("film".utf8))
                if !isNew { throw error }
            }.client { $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" } }
            let (folder, sink) = (try TemporaryFolder(), NotingSink())
            let data = try await client.data(for: Route.get("x"))
            try await client.download(Route.get("x"), to: folder["file"])
            try await client.send(Route.get("x"), into: sink)
            let film = Data("film".utf8)
            let found = try (data, Data(contentsOf: folder["file"]), sink.steps)
            #expect(found == (film, film, ["200", "film"]))
        }
    }

    private let request = URLRequest(url: URL(string: "https://api.example.com/x")!)

    @Test func `A transport that pushes pieces also returns the whole`() async throws {
        let response = try await ClosureTransport { request, sink in
            try sink.begin(Response(status: 418, headers: ["X-A": "1"], request: request))
            for piece in ["a", "b"] { try sink.receive(Data(piece.utf8)) }
        }.send(request, for: Route.get("x"))
        #expect((response.status, response.headers["X-A"], response.data) == (418, "1", Data("ab".utf8)))
    }

    private struct Empty: Transport {}

    @Test func `A transport that implements neither method is an error, by either method and in a call`() async throws {
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await Empty().send(request, for: Route.get("x")) },
            { try await Empty().send(request, for: Route.get("x"), into: Transfer()) },
            { try await Empty().client().send(Route.get("x")) },
        ]
        for call in calls {
            let error = try await failure { try await call() }
            #expect(error.message.contains("Empty implements no method of Transport"))
        }
    }

    /// Keeps the length that a body has for a transport.
    private struct Measuring: Transport {
        let sizes = Locked<[Int64?]>([])

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
            sizes.withLock { $0.append(request.bodySize) }
            return Response(status: 200, data: Data(), request: request)
        }
    }

    @Test func `It knows the length of each body but of a stream without one`() async throws {
        let folder = try TemporaryFolder(["a.txt": "film"])
        let text = Data("stream".utf8)
        let bodies: [(RequestBody?, Int64?)] = [
            (nil, 0), (.data(text, contentType: "a/b"), 6), (.file(folder["a.txt"]), 4),
            (.stream(BodyStream(length: 6) { InputStream(data: text) }), 6),
            (.stream(BodyStream { InputStream(data: text) }), nil),
        ]
        let transport = Measuring()
        let client = transport.client()
        for (body, _) in bodies { try await client.send(body.map { Route.put("x").body($0) } ?? .put("x")) }
        #expect(transport.sizes.withLock { $0 } == bodies.map(\.1))
    }
}
