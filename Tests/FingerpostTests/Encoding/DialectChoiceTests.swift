import CallSupport

@Suite(.inTurn) struct DialectChoiceTests {
    private static func text(of dialect: QueryDialect?) -> String? {
        switch dialect {
        case .standard?: "a=1&a=2&o[k]=v"
        case .rails?: "a[]=1&a[]=2&o[k]=v"
        case .java?: "a=1&a=2&o.k=v"
        case indexed?: "a[0]=1&a[1]=2&o[k]=v"
        default: nil
        }
    }

    private static let indexed = QueryDialect(arrays: .indexed)
    private static let choices: [QueryDialect?] = [nil, .standard, .rails, .java, indexed]

    /// Every combination of a client's, an environment's and a route's dialect.
    private static let table = choices.flatMap { client in
        choices.flatMap { environment in choices.map { route in (client, environment, route) } }
    }

    @Test(arguments: table)
    func `The route's dialect overrides the environment's, which overrides the client's`(
        client: QueryDialect?, environment: QueryDialect?, route: QueryDialect?
    ) async throws {
        let names: [QueryDialect: String] = [
            .standard: "standard", .rails: "rails", .java: "java", Self.indexed: "indexed",
        ]
        let values: Parameters = ["baseURL": "https://h.example", "$dialect": environment.flatMap { names[$0] }]
        let transport = StubTransport(200)
        var configuration = APIClient.Configuration()
        configuration.environment = try Environment("Local", values: values)
        configuration.transport = transport
        if let client { configuration.dialect = client }
        let sender = try APIClient(configuration)
        let parameters: Parameters = ["a": [1, 2], "o": ["k": "v"]]
        let query = Route.get("x").parameters(parameters)
        let form = Route.post("x").parameters(parameters).encoding(.form)
        try await sender.send(route.map(query.dialect) ?? query)
        try await sender.send(route.map(form.dialect) ?? form)
        let expected = Self.text(of: route ?? environment ?? client ?? .standard)
        #expect(transport.requests[0].url?.query?.removingPercentEncoding == expected)
        #expect(
            String(decoding: transport.requests[1].httpBody ?? Data(), as: UTF8.self).removingPercentEncoding
                == expected)
    }

    @Test(arguments: [("rail", "rails"), ("Java", "java"), ("xml", "standard")])
    func `An unknown dialect in an environment is an error that lists the valid ones`(name: String, near: String) {
        let error = #expect(throws: EnvironmentError.self) {
            try Environment("Local", values: ["baseURL": "https://h.example", "$dialect": name])
        }
        #expect(error.map { "\($0)".contains(near) && "\($0)".contains("$dialect") } == true)
    }
}
