@testable import FingerpostTesting

@Suite(.inTurn) struct MockAuditTests {
    struct User: Codable, Equatable, Sendable {
        var login: String
        var name: String?
    }

    struct Repo: Decodable, Sendable {
        var id: Int
    }

    struct Problem: ErrorResponse {
        var message: String
    }

    enum API: SampledRoutes, Routable {
        case user(login: String)
        case repos(page: Int)
        case create
        case untyped

        static var samples: [API] { [.user(login: "octocat"), .repos(page: 1)] }

        var method: HTTPMethod { if case .create = self { .post } else { .get } }
        var path: RoutePath {
            switch self {
            case .user(let login): "users/\(login)"
            case .repos: "repos"
            case .create: "users"
            case .untyped: "x"
            }
        }
        var parameters: Parameters? { if case .repos(let page) = self { ["page": page] } else { nil } }
        var mock: MockName? {
            switch self {
            case .user: "user"
            case .repos: "repos"
            case .create: "user"
            case .untyped: "untyped"
            }
        }
        var responseType: (any (Decodable & Sendable).Type)? {
            switch self {
            case .user: User.self
            case .repos: [Repo].self
            case .create: Repo.self
            case .untyped: nil
            }
        }
    }

    enum Status: String, CaseIterable, SampledRoutes {
        case up, down

        var route: Route { .get("\(rawValue)").mock(MockName(rawValue: rawValue)) }
    }

    /// The findings for a folder with these files.
    static func found(
        _ files: [String: String], _ routes: [any RouteConvertible] = API.samples, ignoring: Set<String> = [],
        skipping: Set<MockFinding.Kind> = [.absentKeys], configuration: APIClient.Configuration = .init()
    ) throws -> [String] {
        let folder = try TemporaryFolder(files)
        let options = MockAudit.Options(
            routes: routes, folder: folder["Mocks"], ignoring: ignoring, skipping: skipping,
            configuration: configuration)
        let audit = try MockAudit(options: options)
        return audit.findings.map { finding in
            "\(finding.kind) " + finding.description.replacingOccurrences(of: folder.url.path + "/", with: "")
        }
    }

    @Test func `The error of a route that accepts every status has the type of the route`() throws {
        let files = ["Mocks/user.json": #"{"login": "o"}"#, "Mocks/user.404.json": #"{"message": "no"}"#]
        var configuration = APIClient.Configuration()
        configuration.errorResponse = Problem.self
        let found = try [StatusPolicy.success, .all].map { policy in
            try Self.found(
                files, [API.user(login: "octocat").acceptedStatuses(policy)], configuration: configuration)
        }
        #expect(
            found == [
                [],
                [
                    #"undecodable Mocks/user.404.json:1: error: the body does not decode as User: the key "login" is missing (API.user(login:)). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)"#
                ],
            ])
    }

    static let good = ["Mocks/user.json": #"{"login": "octocat", "name": "O"}"#, "Mocks/repos.json": #"[{"id": 1}]"#]

    /// Changes of the files above, and the findings. Keys that no mock contains are skipped by default.
    private static let changes = WrittenCase.table(
        #"""
        a file whose name no call can request
        Mocks/user.old.copy.json = {}
        orphan Mocks/user.old.copy.json: error: no route names this mock. Fix: remove it, name it in a route, add its route to the samples, or leave it out with options: .init(ignoring: …)

        a wrong type
        Mocks/repos.json = [↵  {"id": 1},↵  {↵    "id": "2"↵  }↵]
        undecodable Mocks/repos.json:4: error: the body does not decode as Array<Repo>: Int is expected at [1].id (API.repos(page:)). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)

        a body that is not JSON
        Mocks/user.json = {↵ "login": }
        invalidFile Mocks/user.json:2:11: error: unexpected } where a value is expected

        keys that no model reads
        Mocks/repos.json = [{"id": 1},↵ {"id": 2, "etag": 1e400, "x y": 12345678901234567890}]
        unreadKeys Mocks/repos.json:2: warning: no model reads "[*].etag", "[*].x y". Fix: remove it from the mock, add it to the model, or silence the warning with options: .init(skipping: [.unreadKeys])

        a variant that does not decode
        Mocks/user.gone.json = {}
        Mocks/user.suspended.json = {"login": "x"}
        undecodable Mocks/user.gone.json:1: error: the body does not decode as User: the key "login" is missing (API.user(login:)). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)

        an error body
        Mocks/user.404.json = {"message": "Not Found"}
        Mocks/user.500 =
        Mocks/user.locked.423.json = {}
        undecodable Mocks/user.locked.423.json:1: error: the body does not decode as Problem: the key "message" is missing (API.user(login:)). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)

        a sequence
        Mocks/user.mock.json = {"sequence": [{"status": 202, "body": "user.pending.json"}, {"failure": "timedOut"}, {"status": 410, "body": "user.over.json"}, {}]}
        Mocks/user.over.json = {"message": "over"}
        Mocks/user.pending.json = {}
        undecodable Mocks/user.pending.json:1: error: the body does not decode as User: the key "login" is missing (API.user(login:)). Fix: correct the body or the type; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)

        settings of variants for other requests
        Mocks/user.404.json = {"message": "no"}
        Mocks/user.404.mock.json = {"for": "GET /people/{login}"}
        Mocks/user.500.json = {"message": "no"}
        Mocks/user.500.mock.json = {"for": "GET /users/octocat"}
        Mocks/user.locked.json = {"message": "no"}
        Mocks/user.locked.mock.json = {"for": "PUT /users/{login}", "status": 423}
        Mocks/user.mock.json = {"for": "GET /users/{login}"}
        wrongRoute Mocks/user.404.mock.json: error: the mock is for GET /people/{login}, but API.user(login:) is GET users/octocat. Fix: correct "for", the sample, or the route's mock
        wrongRoute Mocks/user.locked.mock.json: error: the mock is for PUT /users/{login}, but API.user(login:) is GET users/octocat. Fix: correct "for", the sample, or the route's mock

        a wrong request that variants inherit from the default settings
        Mocks/user.404.json = {"message": "no"}
        Mocks/user.404.mock.json = {"delay": 1}
        Mocks/user.500.json = {"message": "no"}
        Mocks/user.mock.json = {"for": "GET /people/{login}"}
        wrongRoute Mocks/user.mock.json: error: the mock is for GET /people/{login}, but API.user(login:) is GET users/octocat. Fix: correct "for", the sample, or the route's mock

        an expired recording
        Mocks/user.mock.json = {↵"recorded": {"at": "2020-01-01T10:00:00Z", "from": "Staging", "expires": "90d"}}
        expired Mocks/user.mock.json:2: warning: the recording expired at 2020-03-31T10:00:00Z. Fix: record it again with MOCKS=record:Staging

        a credential
        Mocks/user.json = {"login": "x",↵ "name": "ghp_0123456789abcdefghijABCDEFGHIJ012345"}
        secret Mocks/user.json:2: error: the file contains a GitHub token. Fix: replace it with a made-up value, and revoke the original if it was ever committed

        a key of a model that no mock contains
        Mocks/user.json = {"login": "a"}
        skipping =
        absentKeys Mocks: warning: no mock contains "name" of User, so its decoding is untested. Fix: add it to a mock, or remove it from User

        nothing if one of two mocks contains it
        Mocks/user.json = {"login": "a"}
        Mocks/user.named.json = {"login": "a", "name": null}
        skipping =

        no keys of a recording that no model reads
        Mocks/user.json = {"login": "a", "id": 7, "Name": "x"}
        Mocks/user.mock.json = {"recorded": {"at": "2026-01-01T00:00:00Z", "from": "Live"}}
        skipping =
        absentKeys Mocks: warning: no mock contains "name" of User, so its decoding is untested (did you mean "Name"?). Fix: add it to a mock, or remove it from User

        a secret of an environment
        Environments/Broken-Env.json = {
        Environments/Staging-Env.json = {"description": "Staging", "$secrets": ["key"], "key": null}
        Environments/Staging-Secrets.json = {"key": "s3cret-value"}
        Mocks/user.json = {"login":↵"czNjcmV0LXZhbHVl x"}
        secret Mocks/user.json:2: error: the file contains the secret "key" of the environment Staging. Fix: replace it with a made-up value, and revoke the original if it was ever committed
        """#)

    @Test(arguments: changes) func `An audit finds`(_ change: WrittenCase) throws {
        var configuration = APIClient.Configuration()
        configuration.errorResponse = Problem.self
        let files = Self.good.merging(change.files) { $1 }
        let skipping: Set<MockFinding.Kind> = change.variables["skipping"] == nil ? [.absentKeys] : []
        #expect(try Self.found(files, skipping: skipping, configuration: configuration) == change.expected)
    }

    struct Page<Element: Decodable & Sendable>: Decodable, Sendable {
        struct Cursor: Decodable, Sendable { var next: String? }

        var value: [Element]
        var count: Int?
        var cursor: Cursor?
    }

    @Test func `The keys of a generic model are reported on one line`() throws {
        let routes = [
            Route.get("a").mock("a").answers(Page<Repo>.self), Route.get("b").mock("b").answers(Page<User>.self),
            Route.get("c").mock("c").answers(Page<Int>.self),
        ]
        let files = [
            "Mocks/a.json": #"{"value": [{"id": 1}]}"#, "Mocks/b.json": #"{"value": [], "cursor": {}}"#,
            "Mocks/c.json": #"{"value": [], "count": 1, "cursor": {"next": "x"}}"#,
        ]
        let found = try Self.found(files, routes, skipping: [])
        #expect(
            found == [
                #"absentKeys Mocks: warning: no mock contains "count", "cursor" of Page, so its decoding is untested. Fix: add it to a mock, or remove it from Page"#,
                #"absentKeys Mocks: warning: no mock contains "next" of Cursor, so its decoding is untested. Fix: add it to a mock, or remove it from Cursor"#,
            ])
    }

    @Test func `A key is not unread if any of several models reads it`() throws {
        let files = ["Mocks/user.json": #"{"login": "a", "id": 7, "x": 1}"#]
        let found = try Self.found(files, [API.user(login: "a"), API.create], skipping: [.shared, .absentKeys])
        #expect(
            found == [
                #"unreadKeys Mocks/user.json:1: warning: no model reads "x". Fix: remove it from the mock, add it to the model, or silence the warning with options: .init(skipping: [.unreadKeys])"#
            ])
    }

    @Test func `Ignored names and skipped kinds are not reported`() throws {
        let files = Self.good.merging(["Mocks/old/a.json": "{}", "Mocks/repos.json": "{}"]) { $1 }
        #expect(try Self.found(files, ignoring: ["old/a"], skipping: [.undecodable, .absentKeys]) == [])
    }

    @Test func `Bodies are decoded as the client decodes them`() throws {
        struct Head: Decodable, Sendable { var status: String }
        struct Refused: Error {}
        var configuration = APIClient.Configuration()
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        configuration.wrapper = ResponseWrapper(valueKey: "data", head: Head.self) { head in
            if head.status != "ok" { throw Refused() }
        }
        let route = Route.get("a").mock("a").answers(Snake.self)
        let files = [
            "Mocks/a.json": "{\"status\": \"ok\", \"data\": {\n\"first_name\": \"x\",\n\"last_name\": \"y\"}}",
            "Mocks/a.refused.json": #"{"status": "no"}"#,
            "Mocks/a.wrong.json": "{\"status\": \"ok\",\n\"data\": {\n\"first_name\": 7}}",
        ]
        let found = try Self.found(files, [route], configuration: configuration)
        #expect(
            found == [
                "undecodable Mocks/a.wrong.json:3: error: the body does not decode as Snake: String is expected at data.firstName (GET a). Fix: correct the body or the type",
                #"unreadKeys Mocks/a.json:3: warning: no model reads "data.last_name". Fix: remove it from the mock, add it to the model, or silence the warning with options: .init(skipping: [.unreadKeys])"#,
            ])
    }

    struct Snake: Decodable, Sendable { var firstName: String }

    struct Avatar: Decodable, Sendable { var avatarURL: Double }

    /// Bodies of a model with keys in snake case, and the messages.
    private static let snakes: [(String, any (Decodable & Sendable).Type, String)] = [
        ("{}", Snake.self, #"1: error: the body does not decode as Snake: the key "firstName" is missing (GET a)"#),
        (
            "{\n\"last\": 1,\n\"frist_name\": 2}", Snake.self,
            #"3: error: the body does not decode as Snake: the key "firstName" is missing (did you mean "fristName"?) (GET a)"#
        ),
        (
            "{\"big\": 1e400,\n\"frist_name\": \"\\ud83d\"}", Snake.self,
            #" error: the body does not decode as Snake: the key "firstName" is missing (did you mean "fristName"?) (GET a)"#
        ),
        (
            #"{"avatar_url": "x"}"#, Avatar.self,
            #"1: error: the body does not decode as Avatar: the key "avatarURL" is missing (did you mean "avatarUrl"?) (GET a)"#
        ),
        (
            "{\"rate\": 1e400,\n\"avatar_url\": \"x\", \"id\": 12345678901234567890}", Avatar.self,
            #"2: error: the body does not decode as Avatar: the key "avatarURL" is missing (did you mean "avatarUrl"?) (GET a)"#
        ),
        (
            "{\"avatarURL\":\n1e400}", Avatar.self,
            "1: error: the body does not decode as Avatar: a number is not in the range of the type that it is read as (GET a)"
        ),
    ]

    @Test(arguments: snakes.indices)
    func `A key is named as the model does, and a client that was passed is not asked for`(index: Int) throws {
        let (body, type, message) = Self.snakes[index]
        let folder = try TemporaryFolder(["Mocks/a.json": body])
        let client = APIClient(baseURL: URL(string: "https://t.invalid")!) {
            $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
        }
        var route = Route.get("a").mock("a")
        route.responseType = type
        let audit = try MockAudit(
            client: client,
            options: .init(routes: [route], folder: folder["Mocks"], skipping: [.unreadKeys, .absentKeys]))
        let found = audit.findings.map { folder.relative("\($0)") }.filter { !$0.contains("surrogate pair") }
        #expect(found == ["Mocks/a.json:\(message). Fix: correct the body or the type"])
    }

    @Test func `Bodies of other media types use the decoders set for them`() throws {
        struct Lines: BodyDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
                guard let value = lines as? Value else {
                    throw DecodingError.typeMismatch(type, .init(codingPath: [], debugDescription: ""))
                }
                return value
            }
        }
        var configuration = APIClient.Configuration()
        configuration.decoders["text/csv"] = Lines()
        let list = Route.get("a").mock("list.csv").answers([String].self)
        let picture = Route.get("b").mock("avatar.png").answers(Data.self)
        let files = ["Mocks/list.csv": "a\nb", "Mocks/avatar.png": "PNG", "Mocks/avatar.small.png": "png"]
        #expect(try Self.found(files, [list, picture], configuration: configuration) == [])
    }

    @Test func `An empty body is right for a route that answers nothing`() throws {
        func found(
            _ type: (any (Decodable & Sendable).Type)?, _ files: [String: String] = ["Mocks/a.json": ""]
        ) throws -> [String] {
            var route = Route.get("a").mock("a")
            route.responseType = type
            let found = try Self.found(files, [route], skipping: [.untyped])
            return found.map { $0.components(separatedBy: "; if the client")[0] }
        }
        let problem = """
            error: the body does not decode as User: it is empty (GET a). Fix: write a body, or add ? to the response \
            type: such a type reads an empty body as nil
            """
        let polled = [
            "Mocks/a.mock.json": #"{"sequence": [{"status": 202}, {"body": "a.done.json"}], "after": "repeatLast"}"#,
            "Mocks/a.done.json": #"{"login": "a", "name": "b"}"#,
        ]
        #expect(
            try [found(NoContent.self), found(nil), found(User?.self), found(User.self), found(User.self, polled)] == [
                [], [], [], ["undecodable Mocks/a.json: \(problem)"], ["undecodable Mocks/a.mock.json: \(problem)"],
            ])
    }

    @Test func `A missing folder is an error`() {
        let options = MockAudit.Options(folder: URL(fileURLWithPath: "/nowhere/Mocks"))
        #expect(throws: (any Error).self) { try MockAudit(API.self, options: options) }
    }

    @Test func `An audit does not fail a run that records the mocks`() async throws {
        let folder = try TemporaryFolder(["Mocks/other.json": "{}"])
        let audit = try MockAudit(API.self, options: .init(folder: folder["Mocks"]))
        var issues: [Int] = []
        for mode in [MockMode.record(environment: "X"), .serve] {
            issues.append(try await recordedIssues { audit.report(in: mode, at: #_sourceLocation) }.count)
        }
        #expect((issues, audit.findings.count { $0.isError }) == ([0, 3], 3))
    }

    @Test func `Errors become issues of the test and warnings do not fail it`() async throws {
        let folder = try TemporaryFolder(["Mocks/user.json": "{}", "Mocks/repos.json": #"[{"id": 1, "x": 2}]"#])
        let options = MockAudit.Options(folder: folder["Mocks"])
        let issues = try await recordedIssues { try MockAudit.run(API.self, options: options) }
        let errors = issues.filter { !$0.text.contains("warning") }
        #expect(
            errors.map { $0.text.contains("user.json:1: error: the body does not decode as User") } == [true],
            "\(issues)")
        #if compiler(>=6.3)
            let found = (errors.map { $0.sourceLocation?.fileName }, issues.map(\.severity))
            #expect(found == (["MockAuditTests.swift"], [.error, .warning]), "\(issues)")
        #endif
    }

    @Test func `A correct folder records no issue`() throws {
        let folder = try TemporaryFolder(Self.good.merging(["Mocks/up.json": "1", "Mocks/down.json": "2"]) { $1 })
        let options = MockAudit.Options(folder: folder["Mocks"], skipping: [.untyped])
        let audit = try MockAudit.run(
            options: .init(
                routes: API.samples + Status.samples, folder: folder["Mocks"], skipping: [.untyped]))
        let both = try MockAudit.run(
            API.self, Status.self, client: APIClient(baseURL: URL(string: "https://h.invalid")!), options: options)
        #expect((audit.findings, both.findings) == ([], []))
    }
}
