/// A transport that runs a test's closure, which can pass a body in pieces.
package struct ClosureTransport: Transport {
    private let run: @Sendable (URLRequest, any BodySink) async throws -> Void

    package init(_ run: @escaping @Sendable (URLRequest, any BodySink) async throws -> Void) { self.run = run }

    package func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
        try await run(request, sink)
    }
}
