/// A transport that answers from a closure and records the requests, for tests of the layers above transports.
package final class StubTransport: Transport {
    private let answer: @Sendable (URLRequest, Int) async throws -> (Int, HTTPHeaders, String)
    private let log = Locked<[URLRequest]>([])

    /// - Parameter answer: receives the request and the number of earlier requests.
    package init(_ answer: @escaping @Sendable (URLRequest, Int) async throws -> (Int, HTTPHeaders, String)) {
        self.answer = answer
    }

    package convenience init(_ status: Int, _ headers: HTTPHeaders = [:], _ body: String = "") {
        self.init { _, _ in (status, headers, body) }
    }

    /// A transport that does not answer before the call ends.
    package static var silent: StubTransport {
        StubTransport { _, _ in
            try await Task.sleep(for: .seconds(3600))
            return (200, [:], "")
        }
    }

    package var requests: [URLRequest] { log.withLock { $0 } }

    /// The header of each request that was sent.
    package func sent(_ header: String) -> [String?] { requests.map { $0.value(forHTTPHeaderField: header) } }

    package func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        let index = log.withLock { log in
            log.append(request)
            return log.count - 1
        }
        let (status, headers, body) = try await answer(request, index)
        return Response(status: status, headers: headers, data: Data(body.utf8), request: request)
    }
}
