import CallSupport

/// How a router, a route and a client change requests.
@Suite(.inTurn) struct RouteChangeTests {
    /// A router that customises all of its requests.
    enum Signed: Routable {
        case report(id: Int)

        var path: RoutePath {
            switch self {
            case .report(let id): "reports/\(id)"
            }
        }
        var headers: HTTPHeaders { ["X-Version": "1"] }
        var mock: MockName? { "report" }
        var route: Route {
            Route(properties: self).configure { request in
                request.cachePolicy = .reloadIgnoringLocalCacheData
                request.setValue(request.url.map { "signed \($0.path)" }, forHTTPHeaderField: "X-Signature")
            }
        }
    }

    @Test func `A router changes the requests of all its routes, and an endpoint keeps its body`() throws {
        struct Rename: Endpoint {
            let body: [String: String]
            var method: HTTPMethod { .patch }
            var path: RoutePath { "me" }
            var route: Route { Route(properties: self).header("X-A", "1") }
        }
        let base = URL(string: "https://h.example")
        let report = try Signed.report(id: 7).urlRequest(relativeTo: base)
        let error = try failure { try Signed.report(id: 7).urlRequest() }
        #expect(
            (
                report.url?.absoluteString, report.cachePolicy, report.allHTTPHeaderFields,
                Signed.report(id: 7).route.mock, error.route
            ) == (
                "https://h.example/reports/7", .reloadIgnoringLocalCacheData,
                ["X-Version": "1", "X-Signature": "signed /reports/7"], "report", "Signed.report(id:)"
            ))
        let rename = try Rename(body: ["name": "Ada"]).urlRequest(relativeTo: base)
        #expect((rename.httpBody?.text, rename.value(forHTTPHeaderField: "X-A")) == (#"{"name":"Ada"}"#, "1"))
    }

    @Test func `An assigned closure changes the request, and an error it throws fails the call`() async throws {
        struct NoKey: Error {}
        let transport = StubTransport(200)
        var route = Route.get("x")
        route.configure = { $0.httpMethod = "PURGE" }
        try await transport.client().send(route)
        route.configure = { _ in throw NoKey() }
        let failing = route
        let error = try await failure { try await transport.client().send(failing) }
        #expect((error.underlying is NoKey, transport.requests.map(\.httpMethod)) == (true, ["PURGE"]))
    }

    private static let smuggled: [@Sendable (inout URLRequest) -> Void] = [
        { $0.httpMethod = "GET /x HTTP/1.1\r\n" }, { $0.allHTTPHeaderFields = ["X": "a\r\nY: b"] },
        { $0.allHTTPHeaderFields = ["Host": "evil.example"] },
    ]

    @Test(arguments: smuggled.indices)
    func `A request changed by a closure is checked again`(index: Int) async throws {
        let transport = StubTransport(200)
        let route = Route.get("x").configure(Self.smuggled[index])
        try await failure(.invalidRoute) { try await transport.client().send(route) }
        #expect(transport.requests.isEmpty)
    }
}
