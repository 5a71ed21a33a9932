import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One call on its way: middleware, redirects, transport, and back through validation and decoding.
struct Call: Sendable {
    let route: Route
    let environment: Environment?
    let request: URLRequest
    let transport: any Transport
    let middleware: [any Middleware]
    let timeout: Duration
    let deadlines: Deadlines
    /// How often the request was sent; nil for a mock that no middleware stands before, which is asked once.
    private let attempts: Locked<Int>?

    init(
        route: Route, environment: Environment?, request: URLRequest, transport: any Transport,
        middleware: [any Middleware], timeout: Duration, deadlines: Deadlines
    ) {
        self.route = route
        self.environment = environment
        self.transport = transport
        self.middleware = middleware
        self.deadlines = deadlines
        self.timeout = min(timeout, .seconds(1_000_000_000))
        let isMocked = type(of: transport) == MockTransport.self
        attempts = isMocked && middleware.isEmpty ? nil : Locked(0)
        var request = request
        // Ours ends the call; URLSession's own, in whole seconds, must not come first.
        if !isMocked { request.timeoutInterval = TimeInterval(self.timeout.components.seconds + 2) }
        self.request = request
    }

    /// The response, when its status says success (RFC 9110 section 15.3).
    func run() async throws(APIError) -> Response<Data> {
        let start = ContinuousClock.now
        do {
            var response: Response<Data>
            if let attempts {
                response = try await deadlines.run(timeout) { try await pass(request, through: middleware[...]) }
                response.attempts = attempts.withLock { $0 }
            } else {
                // The mock answers without waiting, so there is nothing for a clock to end, and nothing to follow.
                try Task.checkCancellation()
                response = try await transport.send(request, for: route)
            }
            response.duration = ContinuousClock.now - start
            guard (200..<300).contains(response.status) else {
                throw APIError(.status(response.status), "the server answered \(response.status)").adding(response)
            }
            return response
        } catch {
            throw APIError(transport: error)
                .adding(request, attempts: attempts?.withLock { $0 } ?? (error is CancellationError ? 0 : 1))
                .adding(route: route, environment: environment)
        }
    }

    /// The decoded body. `Data` is passed through.
    func value<Value: Decodable & Sendable>(
        of response: Response<Data>, as type: Value.Type, with decoder: JSONDecoder
    ) throws(APIError) -> Value {
        if type == Data.self, let data = response.data as? Value { return data }
        do {
            return try decoder.decode(type, from: response.data)
        } catch {
            throw APIError(decoding: error, of: response.data, as: type)
                .adding(response)
                .adding(route: route, environment: environment)
        }
    }

    private func pass(_ request: URLRequest, through rest: ArraySlice<any Middleware>) async throws -> Response<Data> {
        guard let first = rest.first else {
            if !middleware.isEmpty { try request.check() }
            return try await follow(request)
        }
        return try await first.intercept(request, for: route) { try await pass($0, through: rest.dropFirst()) }
    }

    /// Sends, and sends on as long as the answer is a redirect.
    private func follow(_ request: URLRequest) async throws -> Response<Data> {
        var request = request
        for _ in 0...Redirects.maximum {
            try Task.checkCancellation()
            attempts?.withLock { $0 += 1 }
            let response = try await transport.send(request, for: route)
            // A mock's redirect is what the test is about: there is nothing behind it.
            guard response.source == .network, let next = try Redirects.next(after: response) else { return response }
            request = next
        }
        throw APIError(.transport, "more than \(Redirects.maximum) redirects").adding(
            request, attempts: attempts?.withLock { $0 } ?? 1)
    }
}
