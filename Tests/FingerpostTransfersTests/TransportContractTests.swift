import CallSupport
import FingerpostTransfers

/// What `Transport` promises to a transport of the app.
@Suite(.inTurn, .concurrent) struct TransportContractTests {
    /// Throws an error of its own for each request.
    private struct Failing: Transport {
        let count = Locked(0)
        let error: any Error

        func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
            count.withLock { $0 += 1 }
            throw error
        }
    }

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

    @Test(arguments: errors.indices) func `The errors of its table are sent again, and no others`(index: Int) async {
        let (error, isSentAgain) = Self.errors[index]
        let transport = Failing(error: error)
        await #expect(throws: APIError.self) {
            try await transport.client {
                $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .exponential(base: .zero, maximum: .zero))
            }.send(Route.get("x"))
        }
        #expect(transport.count.withLock { $0 } == (isSentAgain ? 2 : 1), "\(error)")
    }

    /// Implements the method for pieces alone.
    private struct Pushing: Transport {
        func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
            try sink.begin(Response(status: 418, headers: ["X-A": "1"], request: request))
            for piece in ["a", "b"] { try sink.receive(Data(piece.utf8)) }
        }
    }

    private struct Empty: Transport {}

    private let request = URLRequest(url: URL(string: "https://api.example.com/x")!)

    @Test func `A transport that pushes pieces also returns the whole`() async throws {
        let response = try await Pushing().send(request, for: Route.get("x"))
        #expect(response.status == 418 && response.headers["X-A"] == "1" && response.data == Data("ab".utf8))
    }

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
