import CallSupport

@testable import FingerpostTesting

@Suite(.inTurn) struct MockDriftTests {
    struct User: Decodable, Sendable {
        var id: Int
        var name: String?
        var byDay: [String: Day]?

        struct Day: Decodable, Sendable {
            var hours: Int
        }
    }

    enum API: SampledRoutes, Routable {
        case user, create, ping

        static let samples: [API] = [.user, .create, .ping]

        var method: HTTPMethod {
            switch self {
            case .user: .get
            case .create: .post
            case .ping: .head
            }
        }
        var path: RoutePath { "user" }
        var mock: MockName? { self == .ping ? "ping" : "user" }
        var responseType: (any (Decodable & Sendable).Type)? { User.self }
    }

    /// The report's rows for a mock and a server's answer.
    private static func rows(
        mock: String, live: String, status: Int = 200, _ routes: [any RouteConvertible] = [API.user],
        files: [String: String] = [:], type: String = "application/json",
        configuration: APIClient.Configuration = .init()
    ) async throws -> (rows: [String], drift: MockDrift, requests: [String]) {
        let server = try LoopbackServer { request, connection in
            // Servers may answer a feed only to those who ask for one.
            let isAccepted = type != "text/event-stream" || request["Accept"] == type
            connection.respond(isAccepted ? status : 406, headers: ["Content-Type": type], body: live)
        }
        let folder = try TemporaryFolder(
            files.merging([
                "Mocks/user.json": mock, "Mocks/ping.json": "",
                "Environments/Live-Env.json": #"{"description": "Live", "baseURL": "\#(server.baseURL)"}"#,
            ]) { $1 })
        var options = MockDrift.Options(routes: routes, folder: folder["Mocks"])
        options.configuration = configuration
        let drift = try await MockDrift(environment: "Live", options: options)
        let rows = drift.rows.map { "\($0.problem.severity) \($0.mock ?? "") \($0.problem.key ?? ""): \($0.message)" }
        return (rows, drift, server.requests.map { "\($0.method) \($0.target)" })
    }

    struct Loose: Decodable, Sendable {
        var id: Int
        var details: JSONValue?
        var list: [JSONValue]?
    }

    private enum LooseAPI: SampledRoutes, Routable {
        case user

        static let samples: [LooseAPI] = [.user]

        var path: RoutePath { "user" }
        var responseType: (any (Decodable & Sendable).Type)? { Loose.self }
    }

    @Test(arguments: [(#"3"#, #""red""#), (#"{"size": 3}"#, #"{"color": {"a": 1}}"#), ("[1]", #"{"a": []}"#)])
    func `A value of any kind may differ`(_ mock: String, _ live: String) async throws {
        let mocked = #"{"id": 1, "details": \#(mock), "list": [\#(mock)]}"#
        let served = #"{"id": 1, "details": \#(live), "list": [\#(live), \#(mock)]}"#
        let rows = try await Self.rows(mock: mocked, live: served, [LooseAPI.user]).rows
        #expect(rows.isEmpty, "\(rows)")
    }

    private enum Player: SampledRoutes, Routable {
        case user

        static let samples: [Player] = [.user]

        var path: RoutePath { "user" }
        var responseType: (any (Decodable & Sendable).Type)? { User?.self }
    }

    @Test(arguments: [(204, ""), (200, " ")])
    func `An answer without a body is right for an optional type`(status: Int, body: String) async throws {
        let rows = try await Self.rows(mock: #"{"id": 1}"#, live: body, status: status, [Player.user]).rows
        #expect(rows.isEmpty, "\(rows)")
        #expect(try await Self.rows(mock: #"{"id": 1}"#, live: body, status: status).rows.count == 1)
    }

    private enum AnyJSON: SampledRoutes, Routable {
        case user

        static let samples: [AnyJSON] = [.user]

        var path: RoutePath { "user" }
        var responseType: (any (Decodable & Sendable).Type)? { JSONValue.self }
    }

    @Test func `A route that accepts any JSON is compared like one without a response type`() async throws {
        let rows = try await Self.rows(mock: #"{"id": "1", "name": "x"}"#, live: #"{"id": 1}"#, [AnyJSON.user]).rows
        #expect(
            rows == [
                "error user id: the server sends number, but the mock has string",
                "warning user name: the server does not send this field",
            ])
    }

    static let streams: [(type: String, mock: String, live: String, rows: [String])] = [
        ("text/event-stream", "data: {\"id\": 1}\n\n", "data: {\"id\": 2}\n\ndata: {\"id\":\ndata: 3}\n\n", []),
        (
            "text/event-stream", "data: {\"id\": 1, \"name\": \"x\"}\n\n", "data: {\"id\": 2, \"plan\": true}\n\n",
            [
                "info ticks [*].plan: the server sends this field as boolean, and the mock does not contain it",
                "warning ticks [*].name: the server does not send this field, and the model does not require it",
            ]
        ),
        (
            "application/x-ndjson", "{\"id\": 1}\n{\"id\": 2, \"name\": \"x\"}\n",
            "{\"id\": 3, \"name\": \"y\"}\n\n{\"id\": \"4\"}",
            [
                "error ticks [*].id: the server sends number or string, but the mock has number, so the answer does not decode as User"
            ]
        ),
        ("text/event-stream", "data: {\"id\": 1}\n\n", "", []),
    ]

    @Test(arguments: streams) func `The elements of a stream are compared`(
        type: String, mock: String, live: String, rows: [String]
    ) async throws {
        let file = type == "text/event-stream" ? "Mocks/ticks.events" : "Mocks/ticks.ndjson"
        let route = Route.get("ticks").mock("ticks").answers(User.self)
        let found = try await Self.rows(mock: "1", live: live, [route], files: [file: mock], type: type).rows
        #expect(Set(found) == Set(rows))
    }

    @Test(
        arguments: [
            (#"{"id": 1}"#, #"{"id": 999}"#, []),
            (
                #"{"id": 1}"#, #"{"id": 2, "plan": {"a": 1}}"#,
                ["info user plan: the server sends this field as object, and the mock does not contain it"]
            ),
            (
                #"{"id": 1, "name": "x"}"#, #"{"id": 2}"#,
                ["warning user name: the server does not send this field, and the model does not require it"]
            ),
            (
                #"{"id": 1, "etag": "x"}"#, #"{"id": 2}"#,
                ["info user etag: the server does not send this field, and no model reads it"]
            ),
            (
                #"{"id": 1, "name": "x"}"#, #"{"name": "x"}"#,
                [
                    "error user id: the server does not send this field, and the model requires it, so the answer does not decode as User"
                ]
            ),
            (
                #"{"id": 1}"#, #"{"id": "1"}"#,
                [
                    "error user id: the server sends string, but the mock has number, so the answer does not decode as User"
                ]
            ),
            (
                #"{"id": 1, "etag": "x"}"#, #"{"id": 2, "etag": 7}"#,
                ["warning user etag: the server sends number, but the mock has string, and no model reads it"]
            ),
            (
                #"{"id": 1, "byDay": {"mon": {"hours": 1}, "tue": {"hours": 2}}}"#,
                #"{"id": 2, "byDay": {"sun": {"hours": 3}}}"#, []
            ),
            (#"{"id": 1, "name": "x"}"#, #"{"id": 2, "name": null}"#, []),
            (
                "{\"id\": 1, \"\u{E9}\": 1}", "{\"id\": 2, \"e\u{301}\": 1}",
                ["info user \u{E9}: the server spells the key e\\u{0301}, which Swift considers equal"]
            ),
            (
                #"{"id": 1}"#, "<html>",
                [
                    "error user : the server's answer does not decode as User: it is not JSON: unexpected < where a value is expected"
                ]
            ),
        ])
    func `A difference is an error, a warning or information`(_ mock: String, _ live: String, _ expected: [String])
        async throws
    {
        let (rows, drift, _) = try await Self.rows(mock: mock, live: live)
        #expect(rows == expected)
        #expect(drift.findings.count == expected.count { !$0.hasPrefix("info") })
        #expect(drift.findings.count(where: \.isError) == expected.count { $0.hasPrefix("error") })
    }

    @Test func `A sample is asked for with the type that its value is read from`() async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(200, headers: ["Content-Type": "application/json"], body: #"{"id": 1}"#)
        }
        let folder = try TemporaryFolder([
            "Mocks/user.json": #"{"id": 1}"#, "Mocks/text.json": #""a""#,
            "Environments/Live-Env.json": #"{"description": "Live", "baseURL": "\#(server.baseURL)"}"#,
        ])
        let text = Route.get("text").mock("text").answers(String.self)
        let options = MockDrift.Options(
            routes: [API.user, text, Route.get("any").mock("user"), text.header(.accept, "text/csv")],
            folder: folder["Mocks"])
        _ = try await MockDrift(environment: "Live", options: options)
        let accepted = server.requests.map { $0["Accept"] ?? "" }
        #expect(accepted == ["application/json", "*/*", "application/json", "text/csv"])
    }

    @Test func `Only GET and HEAD samples are sent`() async throws {
        let (rows, drift, requests) = try await Self.rows(mock: #"{"id": 1}"#, live: #"{"id": 2}"#, API.samples)
        #expect(rows == [])
        #expect(requests == ["GET /user", "HEAD /user"])
        #expect(
            drift.report == """
                Drift from Live: 2 samples sent, 0 errors, 0 warnings, 0 info
                  not sent, only GET and HEAD are: API.create (POST)
                """)
    }

    @Test func `Samples of which none is sent are an error`() async throws {
        let (rows, drift, requests) = try await Self.rows(mock: "{}", live: "{}", [API.create])
        #expect(requests == [])
        #expect(rows == ["error  : no sample was sent, so nothing was compared"])
        #expect(drift.findings.map(\.isError) == [true])
        #expect(drift.findings.first?.mock == nil)
    }

    @Test(.mocks) func `The mocks of the running test do not replace the server`() async throws {
        let (rows, _, requests) = try await Self.rows(mock: #"{"id": 1}"#, live: #"{"id": "one"}"#)
        #expect(rows.contains { $0.hasPrefix("error user id: ") }, "\(rows)")
        #expect(requests == ["GET /user"])
    }

    #if os(Linux)
        // Other file systems treat canonically equivalent names as one file.
        @Test func `Mock names that differ only in Unicode normalization are compared separately`() async throws {
            let server = try LoopbackServer { request, connection in
                let key = request.path.contains("composed") ? "a" : "b"
                connection.respond(200, headers: ["Content-Type": "application/json"], body: #"{"\#(key)": 1}"#)
            }
            let (composed, decomposed) = (MockName("\u{E9}"), MockName("e\u{301}"))
            let folder = try TemporaryFolder([
                "Mocks/\(composed).json": #"{"a": 1}"#,
                "Environments/Live-Env.json": #"{"description": "Live", "baseURL": "\#(server.baseURL)"}"#,
            ])
            try folder.write(Data(#"{"b": 1}"#.utf8), to: "Mocks/\(decomposed).json")
            let routes = [Route.get("composed").mock(composed), .get("other").mock(decomposed)]
            for (ignored, count) in [([], 2), ([composed.rawValue], 1)] as [(Set<String>, Int)] {
                let drift = try await MockDrift(
                    environment: "Live", options: .init(routes: routes, folder: folder["Mocks"], ignoring: ignored))
                #expect(
                    drift.report
                        == "Drift from Live: \(count) \(count == 1 ? "sample" : "samples") sent, 0 errors, 0 warnings, 0 info"
                )
            }
        }
    #endif

    @Test func `An ignored mock is not compared, and neither are its variants, as in the audit`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(200, headers: ["Content-Type": "application/json"], body: #"{"id": 1}"#)
        }
        let folder = try TemporaryFolder([
            "Mocks/search.json": #"{"id": 1}"#, "Mocks/search.mine.json": #"{"id": 1}"#,
            "Mocks/searches.json": #"{"id": 1}"#,
            "Environments/Live-Env.json": #"{"description": "Live", "baseURL": "\#(server.baseURL)"}"#,
        ])
        let routes = [Route.get("a").mock("search"), .get("b").mock("search.mine"), .get("c").mock("searches")]
        let drift = try await MockDrift(
            environment: "Live", options: .init(routes: routes, folder: folder["Mocks"], ignoring: ["search"]))
        #expect(server.requests.map(\.target) == ["/c"])
        #expect(drift.findings.isEmpty)
    }

    @Test func `A failed call is an error, and a missing field of an untyped route is a warning`() async throws {
        let failed = try await Self.rows(mock: #"{"id": 1}"#, live: "{}", status: 500)
        #expect(failed.rows == ["error user : API.user fails: the server answered 500"])
        let accepted = try await Self.rows(
            mock: #"{"id": 1}"#, live: "{}", status: 500,
            [Route.get("user").mock("user").named("user").acceptedStatuses(.all)])
        #expect(accepted.rows == ["error user : user fails: the server answered 500"])
        let untyped = try await Self.rows(mock: #"{"id": 1}"#, live: "{}", [Route.get("user").mock("user")])
        #expect(untyped.rows == ["warning user id: the server does not send this field"])
    }

    @Test func `Numbers of any size are numbers`() async throws {
        let (rows, _, _) = try await Self.rows(
            mock: #"{"id": 1, "name": null, "big": 12345678901234567890}"#,
            live: #"{"id": 2, "name": null, "big": 1e400}"#)
        #expect(rows == [])
    }

    @Test func `Keys are matched to models after key conversion`() async throws {
        struct Snake: Decodable, Sendable {
            var userId: Int
            var lastName: String?
        }
        var configuration = APIClient.Configuration()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        configuration.decoder = decoder
        var route = Route.get("user").mock("user")
        route.responseType = Snake.self
        let (rows, _, _) = try await Self.rows(
            mock: #"{"user_id": 1, "last_name": "x"}"#, live: #"{"user_id": 2}"#, [route], configuration: configuration)
        #expect(
            rows == ["warning user last_name: the server does not send this field, and the model does not require it"])
        let (failed, _, _) = try await Self.rows(
            mock: #"{"user_id": 1}"#, live: "{}", [route, route], configuration: configuration)
        #expect(
            failed == [
                "error user user_id: the server does not send this field, and the model requires it, so the answer does not decode as Snake"
            ])
    }

    @Test func `A finding contains the file and how to record it again`() async throws {
        let (_, drift, _) = try await Self.rows(mock: #"{"id": 1, "name": "x"}"#, live: #"{"id": 2}"#)
        let text = try #require(drift.findings.first?.description)
        #expect(
            text.hasSuffix(
                "Mocks/user.json: warning: name: the server does not send this field, and the model does not require it. Fix: record it again with MOCKS=record:Live, and correct the model"
            ))
    }

    @Test func `A mock that has only variants is a warning that says what to do`() async throws {
        let (rows, drift, requests) = try await Self.rows(
            mock: "{}", live: #"{"id": 1}"#, [Route.get("user").mock("locked").answers(User.self)],
            files: ["Mocks/locked.401.json": "{}", "Mocks/locked.gone.json": "{}"])
        #expect(
            rows == [
                #"warning locked : the mock has only the variants "401", "gone", and no answer of its own to compare with"#
            ])
        #expect(
            drift.findings.first?.fix
                == "record it with MOCKS=record:Live, add locked.json, or leave it out with options: .init(ignoring: [\"locked\"])"
        )
        #expect(requests == ["GET /user"])
    }

    @Test func `An environment that answers from mocks is refused`() async throws {
        let folder = try TemporaryFolder([
            "Mocks/user.json": "{}",
            "Environments/Testing-Env.json": #"{"description": "Testing", "baseURL": "https://t.invalid"}"#,
        ])
        let error = await #expect(throws: (any Error).self) {
            try await MockDrift(API.self, environment: "Testing", options: .init(folder: folder["Mocks"]))
        }
        #expect(
            error.map { "\($0)" }?.hasSuffix(
                "the environment Testing answers from mocks, so they cannot be compared with a server. Fix: use an environment whose \"$network\" is live"
            ) == true)
    }

    @Test func `Without MOCKS=drift nothing is sent`() async throws {
        let options = MockDrift.Options(folder: URL(fileURLWithPath: "/nowhere"))
        #expect(try await MockDrift.run(API.self, options: options) == nil)
    }
}
