import CallSupport
import FingerpostTransfers

@testable import Fingerpost

/// Middleware that sends a second request while the first one is on its way.
@Suite(.inTurn, .concurrent) struct SentAtOnceTests {
    /// Sends each request twice at once, and returns the response that came first.
    private struct Hedging: Middleware {
        let seen: Locked<[String]>

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
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
    }

    /// Answers each request in three chunks, each after the same one of every other request.
    private final class Chunks: Transport {
        private let begun = Locked([Int](repeating: 0, count: 5))
        private let count = Locked(0)

        func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
            let number = count.next()
            for step in 0..<5 {
                begun.withLock { $0[step] += 1 }
                await poll { begun.withLock { $0[step] == 2 } }
                if step == 0 { try sink.begin(Response(status: 200, request: request)) }
                if (1...3).contains(step) { try sink.receive(Data("\(number)".utf8)) }
            }
        }
    }

    @Test func `Each of two requests that middleware sends at once has a body of its own`() async throws {
        let seen = Locked<[String]>([])
        let client = Chunks().client { $0.middleware = [Hedging(seen: seen)] }
        let text = try await client.send(Route.get("x"), as: String.self)
        #expect(seen.withLock { $0 } == ["111", "222"] && ["111", "222"].contains(text))
    }

    @Test func `Two requests at once do not write into one file`() async throws {
        let folder = try TemporaryFolder()
        let client = StubTransport.silent.client { $0.middleware = [Hedging(seen: Locked([]))] }
        let error = try await failure(.invalidRoute) { try await client.download(Route.get("x"), to: folder["f"]) }
        let isNamed = error.message.contains("two requests at once")
        #expect(try (isNamed, error.attempts, folder.names) == (true, 1, []), "\(error)")
    }
}
