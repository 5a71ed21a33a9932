@testable import FingerpostTesting

@Suite(.inTurn) struct MockDriftTests {
    struct User: Decodable, Sendable {
        var id: Int
        var name: String?
        var byDay: [String: Day]?
        var tags: [String]

        enum CodingKeys: CodingKey { case id, name, byDay, tags }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            byDay = try container.decodeIfPresent([String: Day].self, forKey: .byDay)
            // As an app does that must not fail.
            tags = (try? container.decode([String].self, forKey: .tags)) ?? []
        }

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

    /// Compares a folder of mocks with a server.
    private static func drift(
        _ files: [String: String], _ routes: [any RouteConvertible], ignoring: Set<String> = [],
        configuration: APIClient.Configuration = .init(), handler: @escaping LoopbackServer.Handler
    ) async throws -> (drift: MockDrift, server: LoopbackServer) {
        let server = try LoopbackServer(handler: handler)
        let live = #"{"description": "Live", "baseURL": "\#(server.baseURL)"}"#
        let folder = try TemporaryFolder(files.merging(["Environments/Live-Env.json": live]) { $1 })
        let options = MockDrift.Options(
            routes: routes, folder: folder["Mocks"], ignoring: ignoring, configuration: configuration)
        return (try await MockDrift(environment: "Live", options: options), server)
    }

    /// The differences between a mock and a server's answer.
    private static func rows(
        mock: String, live: String, status: Int = 200, _ routes: [any RouteConvertible] = [API.user],
        files: [String: String] = [:], type: String = "application/json",
        configuration: APIClient.Configuration = .init()
    ) async throws -> (rows: [String], drift: MockDrift, requests: [String]) {
        let files = files.merging(["Mocks/user.json": mock, "Mocks/ping.json": ""]) { $1 }
        let (drift, server) = try await drift(files, routes, configuration: configuration) { request, connection in
            // Servers may answer a feed only to those who ask for one.
            let isAccepted = type != "text/event-stream" || request["Accept"] == type
            connection.respond(isAccepted ? status : 406, headers: ["Content-Type": type], body: live)
        }
        return (drift.findings.map(\.message), drift, server.requests.map { "\($0.method) \($0.target)" })
    }

    private static let user = Route.get("user").mock("user")

    struct Loose: Decodable, Sendable {
        var id: Int
        var details: JSONValue?
        var list: [JSONValue]?
    }

    static let streams: [(type: String, mock: String, live: String, rows: [String])] = [
        ("text/event-stream", "data: {\"id\": 1}\n\n", "data: {\"id\": 2}\n\ndata: {\"id\":\ndata: 3}\n\n", []),
        (
            "text/event-stream", "data: {\"id\": 1, \"name\": \"x\"}\n\n", "data: {\"id\": 2, \"plan\": true}\n\n",
            [#"GET /ticks: "[*].name" is gone"#]
        ),
        (
            "application/x-ndjson", "{\"id\": 1}\n{\"id\": 2, \"name\": \"x\"}\n",
            "{\"id\": 3, \"name\": \"y\"}\n\n{\"id\": \"4\"}",
            [#"GET /ticks: "[*].id" is number or string, not number"#]
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

    private enum Shape: Decodable, Sendable {
        case circle(radius: Int)
        case square(side: Int)

        enum CodingKeys: CodingKey { case type, radius, side }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self =
                try container.decode(String.self, forKey: .type) == "circle"
                ? .circle(radius: try container.decode(Int.self, forKey: .radius))
                : .square(side: try container.decode(Int.self, forKey: .side))
        }
    }

    private static let types: [String: any (Decodable & Sendable).Type] = [
        "User": User.self, "User?": User?.self, "Shapes": [Shape].self, "Loose": Loose.self, "JSON": JSONValue.self,
    ]

    /// The response type, the mock, the server's answer, and the differences. What no model reads does not matter. A
    /// model that chooses by a key misses nothing that the kind of the answer does not have, and a loose value may be
    /// of any kind. A route that accepts any JSON is compared like one without a response type.
    private static let answers = #"""
        User → {"id": 1} → {"id": 999}
        User → {"id": 1} → {"id": 2, "plan": {"a": 1}}
        User → {"id": 1, "etag": "x"} → {"id": 2}
        User → {"id": 1, "etag": "x"} → {"id": 2, "etag": 7}
        User → {"id": 1, "name": "x"} → {"id": 2} → "name" is gone
        User → {"id": 1} → {"id": 2, "name": "x"} → "name" is new
        User → {"id": 1, "name": "x"} → {"id": 2, "name": null}
        User → {"id": 1, "tags": ["x"]} → {"id": 2, "tags": [1]} → "tags[*]" is number, not string
        User → {"id": 1, "name": null} → {"id": 2, "name": "x"}
        User → {"id": 1, "name": "x"} → {"name": "x"} → "id" is gone
        User → {"id": 1, "big": 12345678901234567890} → {"id": 2, "big": 1e400}
        User → {"id": 1} → {"id": null} → "id" is null
        User → {"id": 1} → {"id": "1"} → "id" is string, not number
        User → {"id": 1} → {"id": 1.5} → the body does not decode as User
        User → {"id": 1} → [{"id": 1}] → the body is list, not object
        User → {"id": 1, "byDay": {"mon": {"hours": 1}, "tue": {"hours": 2}}} → {"id": 2, "byDay": {"sun": {"hours": 3}}}
        User → {"id": 1} → <html> → the body does not decode as User
        Shapes → [{"type": "circle", "radius": 1}, {"type": "square", "side": 2}] → [{"type": "circle", "radius": 3}]
        Shapes → [{"type": "circle", "radius": 1}] → [{"type": "square", "side": 3}]
        Shapes → [{"type": "circle", "radius": 1}] → [{"type": "circle", "size": 3}] → "[*].radius" is gone
        Loose → {"id": 1, "details": 3, "list": [3]} → {"id": 1, "details": "red", "list": ["red", 3]}
        Loose → {"id": 1, "details": {"size": 3}, "list": [{"size": 3}]} → {"id": 1, "details": {"color": {"a": 1}}, "list": [{"color": {"a": 1}}, {"size": 3}]}
        Loose → {"id": 1, "details": [1], "list": [[1]]} → {"id": 1, "details": {"a": []}, "list": [{"a": []}, [1]]}
        JSON → {"id": "1", "name": "x"} → {"id": 1} → "id" is number, not string → "name" is gone
        none → {"id": 1} → {} → "id" is gone
        """#

    @Test(arguments: answers.components(separatedBy: "\n"))
    func `Keys that the model reads are compared, of values their types alone`(row: String) async throws {
        let parts = row.components(separatedBy: " → ")
        var route = Self.user
        route.responseType = Self.types[parts[0]]
        let (rows, drift, _) = try await Self.rows(mock: parts[1], live: parts[2], [route])
        #expect((rows, drift.findings.allSatisfy(\.isError)) == (parts.dropFirst(3).map { "GET /user: \($0)" }, true))
    }

    /// The response type, the answer, and the difference.
    @Test(
        arguments: [
            ("User?", 204, "application/json", "", []), ("User?", 200, "application/json", " ", []),
            ("User", 204, "application/json", "", ["the status is 204, not 200"]),
            ("User", 200, "application/json", " ", ["the body does not decode as User"]),
            ("User", 500, "application/json", "{}", ["the status is 500, not 200"]),
            ("User", 200, "application/hal+json", #"{"id": 2}"#, []),
            ("User", 200, "text/html; charset=utf-8", "<html>", ["the type is text/html, not application/json"]),
        ] as [(String, Int, String, String, [String])])
    func `The status, the type and whether there is a body are compared, but not which type of JSON it is`(
        type: String, status: Int, contentType: String, body: String, expected: [String]
    ) async throws {
        var route = Self.user
        route.responseType = Self.types[type]
        let rows = try await Self.rows(mock: #"{"id": 1}"#, live: body, status: status, [route], type: contentType).rows
        #expect(rows == expected.map { "GET /user: \($0)" })
    }

    @Test func `A sample is asked for with the type that its value is read from`() async throws {
        let text = Route.get("text").mock("text").answers(String.self)
        let (_, server) = try await Self.drift(
            ["Mocks/user.json": #"{"id": 1}"#, "Mocks/text.json": #""a""#],
            [API.user, text, Route.get("any").mock("user"), text.header(.accept, "text/csv")]
        ) { $1.respond(200, headers: ["Content-Type": "application/json"], body: #"{"id": 1}"#) }
        let accepted = server.requests.map { $0["Accept"] ?? "" }
        #expect(accepted == ["application/json", "*/*", "application/json", "text/csv"])
    }

    @Test func `Only reads are sent, and samples of which none is compared are an error`() async throws {
        let (rows, drift, requests) = try await Self.rows(mock: #"{"id": 1}"#, live: #"{"id": 2}"#, API.samples)
        let report = "Drift from Live: 2 compared, 1 writes (POST user)"
        #expect((rows, requests, drift.report) == ([], ["GET /user", "HEAD /user"], report))
        let (none, writes, sent) = try await Self.rows(mock: "{}", live: "{}", [API.create])
        let findings = writes.findings.map { "\($0.isError) \($0.mock ?? "no mock")" }
        #expect((sent, none, findings) == ([], ["no sample was compared with Live"], ["true no mock"]))
    }

    @Test(.mocks) func `The mocks of the running test do not replace the server`() async throws {
        let (rows, _, requests) = try await Self.rows(mock: #"{"id": 1}"#, live: #"{"id": "one"}"#)
        #expect((rows, requests) == ([#"GET /user: "id" is string, not number"#], ["GET /user"]))
    }

    @Test func `An ignored mock is not compared, and neither are its variants, as in the audit`() async throws {
        let files = ["search.json", "search.mine.json", "searches.json"].map { ("Mocks/\($0)", #"{"id": 1}"#) }
        let (drift, server) = try await Self.drift(
            Dictionary(uniqueKeysWithValues: files),
            [Route.get("a").mock("search"), .get("b").mock("search.mine"), .get("c").mock("searches")],
            ignoring: ["search"]
        ) { $1.respond(200, headers: ["Content-Type": "application/json"], body: #"{"id": 1}"#) }
        // Names differ if their bytes do.
        let isIgnored = ["e\u{301}", "\u{E9}"].map { MockFinding.isIgnored("e\u{301}", [$0]) }
        #expect((server.requests.map(\.target), drift.findings, isIgnored) == (["/c"], [], [true, false]))
    }

    @Test func `Keys are matched to models after key conversion`() async throws {
        struct Snake: Decodable, Sendable {
            var userId: Int
            var lastName: String?
        }
        let configuration = APIClient.Configuration()
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        let route = Self.user.answers(Snake.self)
        let (rows, _, _) = try await Self.rows(
            mock: #"{"user_id": 1, "last_name": "x"}"#, live: #"{"user_id": 2}"#, [route], configuration: configuration)
        let (failed, _, _) = try await Self.rows(
            mock: #"{"user_id": 1}"#, live: "{}", [route, route], configuration: configuration)
        #expect((rows, failed) == ([#"GET /user: "last_name" is gone"#], [#"GET /user: "user_id" is gone"#]))
    }

    @Test func `A value that does not decode is named as the body writes it`() async throws {
        struct Snake: Decodable, Sendable {
            var userId: Int
            var lastName: String?
        }
        struct Team: Decodable, Sendable {
            var teamMembers: [String: [Snake]]
        }
        let configuration = APIClient.Configuration()
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        let (rows, _, _) = try await Self.rows(
            mock: #"{"team_members": {"a_b": [{"user_id": 1, "last_name": "x"}]}}"#,
            live: #"{"team_members": {"a_b": [{"user_id": 1}, {}]}}"#, [Self.user.answers(Team.self)],
            configuration: configuration)
        #expect(
            rows == [
                #"GET /user: "team_members[*][*]" does not decode as Team"#,
                #"GET /user: "team_members[*][*].last_name" is gone"#,
            ])
    }

    @Test func `A finding contains the file and how to record it again`() async throws {
        let (_, drift, _) = try await Self.rows(mock: #"{"id": 1, "name": "x"}"#, live: #"{"id": 2}"#)
        let text =
            #"Mocks/user.json: error: GET /user: "name" is gone. Fix: record it again with MOCKS=record:Live, and correct the model"#
        #expect(drift.findings.map { $0.description.hasSuffix(text) } == [true], "\(drift.findings)")
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
