import CallSupport

@Suite(.inTurn) struct DialectChoiceTests {
    /// The names of dialects in environments, and what they make of the parameters of the test.
    private static let dialects: [QueryDialect: (name: String, text: String)] = [
        .standard: ("standard", "a=1&a=2&o[k]=v"), .rails: ("rails", "a[]=1&a[]=2&o[k]=v"),
        .java: ("java", "a=1&a=2&o.k=v"), QueryDialect(arrays: .indexed): ("indexed", "a[0]=1&a[1]=2&o[k]=v"),
    ]

    private static let choices: [QueryDialect?] = [nil] + Array(dialects.keys)

    /// Every combination of a client's, an environment's and a route's dialect.
    private static let table = choices.flatMap { client in
        choices.flatMap { environment in choices.map { route in (client, environment, route) } }
    }

    @Test(arguments: table)
    func `The route's dialect overrides the environment's, which overrides the client's`(
        client: QueryDialect?, environment: QueryDialect?, route: QueryDialect?
    ) async throws {
        let values: Parameters = [
            "baseURL": "https://h.example", "$dialect": environment.flatMap { Self.dialects[$0]?.name },
        ]
        let transport = StubTransport(200)
        let sender = try transport.client(in: Environment("Local", values: values)) {
            if let client { $0.dialect = client }
        }
        let parameters: Parameters = ["a": [1, 2], "o": ["k": "v"]]
        let query = Route.get("x").parameters(parameters)
        let form = Route.post("x").parameters(parameters).encoding(.form)
        try await sender.send(route.map(query.dialect) ?? query)
        try await sender.send(route.map(form.dialect) ?? form)
        let expected = Self.dialects[route ?? environment ?? client ?? .standard]?.text
        let requests = transport.requests
        let sent = [requests.first?.url?.query, requests.last?.httpBody?.text].map { $0?.removingPercentEncoding }
        #expect(sent == [expected, expected])
    }
}
