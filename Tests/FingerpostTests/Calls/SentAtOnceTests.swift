import CallSupport
import FingerpostTransfers

@testable import Fingerpost

/// Middleware that sends a second request while the first one is on its way.
@Suite(.inTurn, .concurrent) struct SentAtOnceTests {
    /// What the two requests got.
    private let seen = Locked<[String]>([])

    /// Sends each request twice at once, and returns the response that came first.
    private func hedging(_ transport: some Transport) -> APIClient {
        let hedging = ClosureMiddleware { [seen] request, _, next in
            try await withoutActuallyEscaping(next) { next in
                try await withThrowingTaskGroup(of: Response<Data>.self) { group in
                    for _ in 1...2 { group.addTask { try await next(request) } }
                    var responses: [Response<Data>] = []
                    for try await response in group { responses.append(response) }
                    seen.withLock { $0 = responses.map { String(decoding: $0.data, as: UTF8.self) }.sorted() }
                    return responses[0]
                }
            }
        }
        return transport.client { $0.middleware = [hedging] }
    }

    @Test func `Each of two requests that middleware sends at once has a body of its own`() async throws {
        let (begun, count) = (Locked([Int](repeating: 0, count: 5)), Locked(0))
        // Answers each request in three chunks, each after the same one of the other request.
        let chunks = ClosureTransport { request, sink in
            let number = count.next()
            for step in 0..<5 {
                begun.withLock { $0[step] += 1 }
                await poll { begun.withLock { $0[step] == 2 } }
                if step == 0 { try sink.begin(Response(status: 200, request: request)) }
                if (1...3).contains(step) { try sink.receive(Data("\(number)".utf8)) }
            }
        }
        let text = try await hedging(chunks).send(Route.get("x"), as: String.self)
        #expect(seen.withLock { $0 } == ["111", "222"] && ["111", "222"].contains(text))
    }

    @Test func `Two requests at once do not write into one file`() async throws {
        let folder = try TemporaryFolder()
        let client = hedging(StubTransport.silent)
        let error = try await failure(.invalidRoute) { try await client.download(Route.get("x"), to: folder["f"]) }
        let isNamed = error.message.contains("two requests at once")
        let seen = (isNamed, error.attempts, try folder.names)
        #expect(seen == (true, 1, []), "\(error)")
    }
}
