import CallSupport
import FingerpostStreams

@testable import Fingerpost

/// Streams that more than one place would send.
@Suite(.inTurn) struct SharedStreamTests {
    @Test(arguments: [false, true], [false, true])
    func `A stream that a call sends is refused to others`(isOpenedByRoute: Bool, isOtherClient: Bool) async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let transport = StubTransport { _, count in
            if count == 0 { for await _ in gate { break } }
            return (200, [:], "")
        }
        nonisolated(unsafe) let stream = InputStream(data: Data("a".utf8))
        let route = Route.post("x")
        let streamed =
            isOpenedByRoute
            ? route.body(.stream(BodyStream { stream })) : route.configure { $0.httpBodyStream = stream }
        let client = transport.client { _ in }
        let first = Task { try await client.send(streamed) }
        await poll { !transport.requests.isEmpty }
        let other = isOtherClient ? client.with { $0.timeout = .seconds(9) } : client
        let error = try await failure(.encoding) { try await other.send(streamed) }
        opener.yield()
        try await first.value
        let isNamed = error.message.contains("being sent by another call")
        #expect((isNamed, transport.requests.count) == (true, 1), "\(error)")
        // No call is sending it any more, and none has opened it.
        try await client.send(streamed)
        #expect(transport.requests.count == 2)
    }

    @Test func `A stream that configure sets does not compete with the route's`() async throws {
        let transport = StubTransport(200)
        let configure: @Sendable (inout URLRequest) -> Void = { $0.httpBodyStream = InputStream(data: Data("b".utf8)) }
        let route = Route.post("x").body(.stream(BodyStream { InputStream(data: Data("a".utf8)) }))
        let clients = [
            (transport.client { _ in }, route.configure(configure)),
            (transport.client { $0.configure = { request, _ in configure(&request) } }, route),
        ]
        for (client, route) in clients {
            let error = try await failure(.invalidRoute) { try await client.send(route) }
            let isNamed = error.message.contains("configure sets another one")
            #expect((isNamed, transport.requests) == (true, []), "\(error)")
        }
        // A stream for a route without one is sent.
        try await clients[1].0.send(Route.post("x"))
        #expect(transport.requests.count == 1)
    }
}
