import Fingerpost
import FingerpostFiles
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import FingerpostTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct RecordingMiddlewareTests {
    struct User: Codable, Equatable, Sendable {
        var id: Int
        var login: String
    }

    enum API: Routable {
        case user(login: String)
        case save(login: String)
        case avatar, page, feed, bad, outside, none

        var method: HTTPMethod { if case .save = self { .put } else { .get } }
        var path: RoutePath {
            switch self {
            case .user(let login), .save(let login): "users/\(login)/profile"
            default: "\(String(describing: self))"
            }
        }
        var mock: MockName? {
            switch self {
            case .user: "users/show"
            case .save: "users/save"
            case .avatar: "avatar.png"
            case .page: "page"
            case .feed: "feed"
            case .bad: "bad"
            case .outside: "../outside"
            case .none: .unmocked
            }
        }
    }

    /// A server, a mocks folder, and a client that records into it.
    final class Studio: Sendable {
        let server: LoopbackServer
        let folder: TemporaryFolder
        let environment: Environment
        let recorder: RecordingMiddleware
        let client: APIClient

        init(
            _ files: [String: String] = [:], at time: Double = 1_700_000_000.5,
            handler: @escaping LoopbackServer.Handler,
            configure: (inout APIClient.Configuration) -> Void = { _ in }
        ) throws {
            let server = try LoopbackServer(handler: handler)
            self.server = server
            folder = try TemporaryFolder(
                files.merging([
                    "Environments/Live-Env.json":
                        #"{"description": "Live", "baseURL": "\#(server.baseURL)", "$secrets": ["key", "pin"], "key": null, "pin": null}"#,
                    "Environments/Live-Secrets.json": #"{"key": "s3cret/value", "pin": 987654}"#,
                ]) { $1 })
            try FileManager.default.createDirectory(at: folder["Mocks"], withIntermediateDirectories: true)
            environment = try Environment.load("Live", from: folder["Environments"])
            recorder = try RecordingMiddleware(
                environment: environment, recorder: MockRecorder(folder: folder["Mocks"]), tell: { _ in },
                variables: [:],
                now: { Date(timeIntervalSince1970: time) })
            var configuration = APIClient.Configuration()
            configuration.environment = environment
            configuration.middleware = [recorder]
            configure(&configuration)
            client = try APIClient(configuration)
        }

        deinit { server.stop() }

        func lines() -> [String] {
            recorder.lines.map { $0.replacingOccurrences(of: folder.url.path + "/", with: "") }
        }

        /// The text of each file in the mocks folder, by path.
        func files() throws -> [String: String] {
            let names = FileManager.default.enumerator(atPath: folder["Mocks"].path)?.compactMap { $0 as? String } ?? []
            return names.reduce(into: [:]) { files, name in
                let url = folder["Mocks/\(name)"]
                guard url.hasDirectoryPath == false, let data = try? Data(contentsOf: url) else { return }
                files[name] = String(decoding: data, as: UTF8.self)
            }
        }

        /// A client whose calls are answered by the recordings.
        func replay() throws -> APIClient {
            var configuration = APIClient.Configuration()
            configuration.environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
            configuration.mocks = folder["Mocks"]
            return try APIClient(configuration)
        }
    }

    private static func json(
        _ text: String, _ headers: KeyValuePairs<String, String> = [:]
    ) -> LoopbackServer.Handler {
        { _, connection in connection.respond(200, headers: headers, body: text) }
    }

    private enum Hub: Routable {
        case one, two

        var path: RoutePath { "hub" }
    }

    @Test(arguments: [
        ([:], "one.json"), (["Mocks/Hub/two.json": "1"], "Hub/one.json"),
        (["Mocks/Hub/two.json": "1", "Mocks/one.json": "1"], "one.json"),
    ])
    func `A route without a name for its mock is recorded under the name of its case`(
        files: [String: String], recorded: String
    ) async throws {
        let studio = try Studio(files, handler: Self.json(#"{"id":1}"#))
        _ = try await studio.client.data(for: Hub.one)
        #expect(try studio.files()[recorded] == "{\n  \"id\": 1\n}\n")
        let replayed = try await studio.replay().response(for: Hub.one, as: Data.self)
        #expect(replayed.source == .mock(studio.folder["Mocks/\(recorded)"]))
    }

    @Test func `An answer becomes a body and settings that replay unchanged`() async throws {
        let studio = try Studio(
            handler: Self.json(
                #"{"login":"octocat","id":12345678901234567890.10e-19}"#,
                ["ETag": "\"v1\"", "Link": "<x>; rel=next", "Set-Cookie": "sid=cookie-1", "X-Other": "1"]))
        let live = try await studio.client.response(
            for: API.user(login: "octo cat"), as: [String: JSONNumberOrText].self)
        #expect(
            try studio.files() == [
                "users/show.json": "{\n  \"id\": 12345678901234567890.10e-19,\n  \"login\": \"octocat\"\n}\n",
                "users/show.mock.json": """
                {
                  "for" : "GET /users/{login}/profile",
                  "headers" : {
                    "ETag" : "\\"v1\\"",
                    "Link" : "<x>; rel=next"
                  },
                  "recorded" : {
                    "at" : "2023-11-14T22:13:20Z",
                    "by" : "FingerpostTestingTests.RecordingMiddlewareTests.API.user",
                    "from" : "Live"
                  }
                }

                """,
            ])
        #expect(studio.lines() == ["wrote Mocks/users/show.json", "wrote Mocks/users/show.mock.json"])
        let replayed = try await studio.replay().response(
            for: API.user(login: "someone"), as: [String: JSONNumberOrText].self)
        #expect(replayed.value == live.value)
        #expect(replayed.status == 200)
        #expect(replayed.headers[.etag] == "\"v1\"")
        #expect(replayed.headers[.link] == "<x>; rel=next")
        let audit = try MockAudit([API.user(login: "x")], folder: studio.folder["Mocks"], skipping: [.untyped])
        #expect(audit.findings == [])
    }

    enum JSONNumberOrText: Decodable, Equatable {
        case number(Decimal)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = try (try? container.decode(Decimal.self)).map { .number($0) } ?? .text(container.decode(String.self))
        }
    }

    @Test(
        arguments: [
            (API.save(login: "a"), 201, "application/json", #"{"id":1}"#, ["users/save.json", "users/save.mock.json"]),
            (.save(login: "a"), 204, "", "", ["users/save.204", "users/save.mock.json"]),
            (
                .user(login: "a"), 404, "application/json", #"{"message":"no"}"#,
                ["users/show.404.json", "users/show.404.mock.json", "users/show.mock.json"]
            ),
            (
                .user(login: "a"), 502, "text/html", "<h1>no</h1>",
                ["users/show.502.html", "users/show.502.mock.json", "users/show.mock.json"]
            ),
            (.user(login: "a"), 500, "", "", ["users/show.500", "users/show.500.mock.json", "users/show.mock.json"]),
            (.avatar, 200, "image/png", "\u{89}PNG", ["avatar.png", "avatar.png.mock.json"]),
            (.avatar, 200, "image/webp", "RIFF", ["avatar.png", "avatar.png.mock.json"]),
            (
                .avatar, 404, "image/png", "\u{89}PNG",
                ["avatar.404.png", "avatar.png.404.mock.json", "avatar.png.mock.json"]
            ),
            (
                .avatar, 404, "application/json", "{}",
                ["avatar.png.404.json", "avatar.png.404.mock.json", "avatar.png.mock.json"]
            ),
            (.page, 200, "text/html; charset=utf-8", "<p>", ["page.html", "page.mock.json"]),
            (.feed, 200, "application/atom+xml", "<feed/>", ["feed", "feed.mock.json"]),
            (.bad, 200, "application/json", "{broken", ["bad.json", "bad.mock.json"]),
            (.feed, 200, "application/vnd.api+json", "[1]", ["feed.json", "feed.mock.json"]),
        ] as [(API, Int, String, String, [String])])
    func `Every kind of answer is replayed`(
        _ route: API, _ status: Int, _ type: String, _ body: String, _ files: [String]
    ) async throws {
        let studio = try Studio { _, connection in
            connection.respond(status, headers: type.isEmpty ? [:] : ["Content-Type": type], body: body)
        }
        let live = await Self.outcome(of: route, studio.client)
        let lines = studio.lines()
        #expect(lines.allSatisfy { $0.hasPrefix("wrote") }, "\(lines)")
        #expect(try studio.files().keys.sorted() == files)
        let replay = try studio.replay()
        for variants in status < 300 ? [[:]] : [[:], [route.mock!: "\(status)"]] {
            let replayed = await APIScope(variants: variants).run { await Self.outcome(of: route, replay) }
            #expect(replayed == live)
        }
    }

    @Test(arguments: [
        ([401], "status 401"), ([401, 401], "status 401"), ([401, 200], "200"), ([401, 200, 401], "200"),
    ])
    func `A recorded error is the default answer until a successful answer is recorded`(
        recorded: [Int], expected: String
    ) async throws {
        let statuses = Locked(recorded)
        let studio = try Studio { _, connection in
            let status = statuses.withLock { $0.removeFirst() }
            connection.respond(status, headers: ["Content-Type": "application/json"], body: "{\"status\":\(status)}")
        }
        for _ in recorded { _ = await Self.outcome(of: .user(login: "a"), studio.client) }
        let replay = try studio.replay()
        #expect(await Self.outcome(of: .user(login: "a"), replay).first == expected)
        let variant = await APIScope(variants: ["users/show": "401"]).run {
            await Self.outcome(of: .user(login: "a"), replay)
        }
        #expect(variant.first == "status 401")
        #expect(studio.lines().allSatisfy { !$0.hasPrefix("but") && !$0.hasPrefix("kept") }, "\(studio.lines())")
    }

    @Test func `A recorded error leaves a default answer alone`() async throws {
        let studio = try Studio(["Mocks/users/show.json": "{}"]) { _, connection in connection.respond(401) }
        _ = await Self.outcome(of: .user(login: "a"), studio.client)
        #expect(try studio.files().keys.sorted() == ["users/show.401", "users/show.401.mock.json", "users/show.json"])
    }

    /// The status or the error's kind, the body without whitespace, and the content type.
    private static func outcome(of route: API, _ client: APIClient) async -> [String] {
        do {
            let response = try await client.response(for: route, as: Data.self)
            return ["\(response.status)", text(response.data), response.headers[.contentType] ?? ""]
        } catch {
            return ["\(error.kind)", text(error.body ?? Data()), error.headers?[.contentType] ?? ""]
        }
    }

    private static func text(_ data: Data) -> String {
        String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    }

    @Test func `No file contains a secret or credential in any form`() async throws {
        let encoded = Data("user:s3cret/value".utf8).base64EncodedString()
        let body = """
            {"raw": "s3cret/value", "escaped": "s3cret\\/value", "url": "https://x/?k=s3cret%2Fvalue", "basic": "\(encoded)",
             "pin": 987654, "bearer": "bearer-token-1", "cookie": "cookie-1-value", "fine": "octocat"}
            """
        let studio = try Studio(
            handler: Self.json(
                body,
                [
                    "Set-Cookie": "sid=cookie-1-value; Path=/; Secure",
                    "Link": "<https://x/?key=s3cret%2Fvalue>; rel=next",
                ]),
            configure: { $0.authorization = .bearer("bearer-token-1") })
        _ = try await studio.client.data(for: API.user(login: "octocat"))
        let files = try studio.files()
        #expect(files.count == 2)
        for (name, text) in files {
            for secret in ["s3cret", "cret%2F", "987654", "bearer-token-1", "cookie-1-value", encoded] {
                #expect(!text.contains(secret), "\(secret) in \(name)")
            }
        }
        #expect(files["users/show.json"]?.contains(#""fine": "octocat""#) == true)
        #expect(files["users/show.json"]?.contains(#""pin": 0"#) == true)
    }

    /// Each with the `for` of its settings.
    @Test(
        arguments: [
            (Route.get("keys/\("s3cret/value")/uses"), "GET /keys/{secret}/uses"),
            (.get("keys/id-\("s3cret/value")"), "GET /keys/{secret}"),
            (.get("keys/\(raw: "s3cret/value")/uses"), "GET /keys/{secret}/{secret}/uses"),
            (.get("keys/\(Data("u:s3cret/value".utf8).base64EncodedString())"), "GET /keys/{secret}"),
            (.get("pins/\(987654)?key=x"), "GET /pins/{secret}"),
            (.get("sessions/\("bearer-token-1")"), "GET /sessions/{secret}"),
            (.get("login/\("hunter-22")").query("token", "hunter-22"), "GET /login/{secret}"),
        ])
    func `A secret in the path becomes a placeholder, and the recording replays`(_ route: Route, _ expected: String)
        async throws
    {
        let studio = try Studio(
            handler: { request, connection in
                connection.respond(
                    200, headers: ["Content-Type": "application/json"],
                    body: #"{"you asked for": "\#(request.target)"}"#)
            }, configure: { $0.authorization = .bearer("bearer-token-1") })
        let route = route.mock("path")
        _ = try await studio.client.data(for: route)
        let files = try studio.files()
        #expect(files["path.mock.json"]?.contains("\"for\" : \"\(expected)\"") == true)
        for (name, text) in files {
            for secret in ["s3cret", "czNjcmV0", "987654", "bearer-token-1", "hunter-22"] {
                #expect(!text.contains(secret), "\(secret) in \(name)")
            }
        }
        #expect(try await studio.replay().data(for: route) == Data(files["path.json"]?.utf8 ?? "".utf8))
    }

    @Test func `A refusal to record a secret does not contain the secret`() async throws {
        let studio = try Studio { _, connection in
            connection.respond(
                200, headers: ["Content-Type": "image/png"], body: [0x89, 0xFF] + Array("s3cret/value".utf8))
        }
        _ = try await studio.client.data(for: Route.get("keys/\("s3cret/value")").mock("key"))
        #expect(
            studio.lines() == [
                "not written: the answer to GET /keys/{secret}: the body is binary and contains a secret, which cannot be removed"
            ])
        #expect(try studio.files() == [:])
    }

    @Test func `Session identifiers in the URL of a header are redacted`() async throws {
        let studio = try Studio { _, connection in
            connection.respond(
                201, headers: ["Content-Type": "application/json", "Location": "/x?sessionid=abc&page=2#top"],
                body: "{}")
        }
        _ = try await studio.client.data(for: API.page)
        let settings = try studio.files()["page.mock.json"]
        #expect(settings?.contains("\"/x?sessionid=<redacted>&page=2\"") == true, "\(settings ?? "")")
        #expect(studio.lines().last == "redacted Mocks/page.mock.json at /headers/Location")
    }

    /// Each with whether the request has a credential, and whether the large body is written.
    @Test(
        .heavy,
        arguments: [
            ("application/json", false, false), ("application/json", true, false), ("text/csv", true, false),
            ("text/csv", false, true), ("image/png", true, false), ("image/png", false, true), ("", false, false),
        ])
    func `A large body is written only if it need not be searched for secrets`(
        _ type: String, _ hasCredential: Bool, _ isWritten: Bool
    ) async throws {
        let body = [UInt8](repeating: UInt8(ascii: "1"), count: Recording.largestSearched + 1)
        var request = URLRequest(url: try #require(URL(string: "https://h.example/page")))
        request.httpMethod = "GET"
        if hasCredential { request.setValue("Bearer bearer-token-1", forHTTPHeaderField: "Authorization") }
        let response = Response(
            status: 200, headers: type.isEmpty ? [:] : ["Content-Type": type], data: Data(body), request: request)
        let record = {
            try Recording(response, to: request, of: .get("page"), named: "page", environment: nil, at: Date())
        }
        if isWritten {
            #expect(try record().body.count == body.count)
        } else {
            let refusal = #expect(throws: Recording.Refusal.self) { try record() }
            #expect(
                refusal?.reason == "the body is 8388609 bytes long; at most 8388608 are searched for secrets")
        }
    }

    @Test func `Credentials that a redirect drops are redacted too`() async throws {
        let target = try LoopbackServer(handler: Self.json(#"{"echo":"bearer-token-1"}"#))
        defer { target.stop() }
        let location = target.baseURL.appendingPathComponent("there").absoluteString
        let studio = try Studio(
            handler: { _, connection in connection.respond(302, headers: ["Location": location], body: "") },
            configure: { $0.authorization = .bearer("bearer-token-1") })
        _ = try await studio.client.data(for: API.user(login: "octocat"))
        #expect(try studio.files()["users/show.json"] == "{\n  \"echo\": \"<redacted>\"\n}\n")
    }

    @Test(arguments: [
        Route.post("x").json(["user": "octocat", "password": "hunter-22"]),
        Route.post("x").json(["login": ["credentials": ["userPassword": "hunter-22"]]]),
        Route.post("x").parameters(["user": "octocat", "password": "hunter-22"]).encoding(.form),
        Route.post("x").parameters(["user": "octocat", "password": "hunter-22"]).encoding(.multipart),
        Route.post("x").json(["password": "hunter-22", "image": String(repeating: "x", count: 100_000)]),
    ])
    func `A password that the server echoes is redacted`(route: Route) async throws {
        let studio = try Studio(handler: Self.json(#"{"echo":"you said hunter-22, octocat"}"#))
        _ = try await studio.client.data(for: route.mock("login"))
        #expect(try studio.files()["login.json"] == "{\n  \"echo\": \"you said <redacted>, octocat\"\n}\n")
    }

    @Test func `Cookies are redacted, but not their attributes and literal values`() async throws {
        let studio = try Studio(
            handler: Self.json(
                #"{"a": "cookie-1", "b": "cookie-2", "c": "cookie-3", "day": "Wed", "year": "2026", "ok": true, "x": null}"#,
                [
                    "Set-Cookie": "sid=cookie-1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, csrf=cookie-2; Path=/",
                    "Set-Cookie": "third=cookie-3; Max-Age=60", "Set-Cookie": "consent=true, none=null",
                ]))
        _ = try await studio.client.data(for: API.page)
        let redacted = #""<redacted>""#
        #expect(
            try studio.files()["page.json"]?.split(separator: "\n").dropFirst().dropLast().map(String.init) == [
                "  \"a\": \(redacted),", "  \"b\": \(redacted),", "  \"c\": \(redacted),", #"  "day": "Wed","#,
                #"  "ok": true,"#, #"  "x": null,"#, #"  "year": "2026""#,
            ])
    }

    @Test func `A PIN that the server echoes is redacted`() async throws {
        let studio = try Studio(handler: Self.json(#"{"pin": 4711, "text": "you said 4711"}"#))
        _ = try await studio.client.data(for: Route.post("x").json(["pin": 4711]).mock("login"))
        #expect(
            try studio.files()["login.json"] == "{\n  \"pin\": 0,\n  \"text\": \"you said <redacted>\"\n}\n")
    }

    @Test func `Text in a body that looks like a credential is reported`() async throws {
        let studio = try Studio(handler: Self.json(#"{"note":"ghp_0123456789abcdefghijABCDEFGHIJ012345"}"#))
        _ = try await studio.client.data(for: API.user(login: "a"))
        #expect(
            studio.lines().last
                == "check Mocks/users/show.json:2 before you commit it: it contains a GitHub token")
    }

    @Test func `Tokens that the server issues are redacted, and each place is reported`() async throws {
        let studio = try Studio(
            handler: Self.json(#"{"access_token":"0a1b2c3d4e","refresh_token":"zzz","expires_in":3600}"#))
        let route = Route.post("login").mock("login")
        #expect(
            try await studio.client.send(route, as: [String: JSONNumberOrText].self)["access_token"]
                == .text("0a1b2c3d4e"))
        #expect(
            try studio.files()["login.json"]
                == "{\n  \"access_token\": \"<redacted>\",\n  \"expires_in\": 3600,\n  \"refresh_token\": \"<redacted>\"\n}\n"
        )
        #expect(
            studio.lines() == [
                "wrote Mocks/login.json", "wrote Mocks/login.mock.json", "redacted Mocks/login.json at /access_token",
                "redacted Mocks/login.json at /refresh_token",
            ])
        #expect(
            try await studio.replay().send(route, as: [String: JSONNumberOrText].self)["expires_in"] == .number(3600))
    }

    @Test func `Only the first twenty redacted places of a file are listed`() async throws {
        let body = "[" + repeatElement(#"{"token":"x"}"#, count: 100).joined(separator: ",") + "]"
        let studio = try Studio(handler: Self.json(body))
        _ = try await studio.client.data(for: API.page)
        #expect(studio.lines().count { $0.hasPrefix("redacted Mocks/page.json at /") } == 20)
        #expect(studio.lines().last == "redacted Mocks/page.json at 80 more places")
    }

    @Test func `Each replaced file is reported, and settings written by hand are kept`() async throws {
        let settings =
            #"{"delay": 0.5, "status": 201, "recorded": {"at": "2020-01-01T00:00:00Z", "from": "Old", "expires": "90d"}}"#
        let studio = try Studio(
            ["Mocks/users/show.json": "{}", "Mocks/users/show.mock.json": settings], handler: Self.json(#"{"id":1}"#))
        _ = try await studio.client.data(for: API.user(login: "a"))
        _ = try await studio.client.data(for: API.user(login: "a"))
        #expect(
            studio.lines() == [
                "replaced Mocks/users/show.json (was 2 bytes)",
                "replaced Mocks/users/show.mock.json (was recorded 2020-01-01T00:00:00Z from Old)",
                "unchanged Mocks/users/show.json", "unchanged Mocks/users/show.mock.json",
            ])
        let mock = try MockFolder(url: studio.folder["Mocks"]).mock(named: "users/show")
        #expect(mock.settings?.answer.status == nil)
        #expect(mock.settings?.answer.delay == .fixed(0.5))
        #expect(mock.settings?.recorded?.lifetime == 7_776_000.0)
        let later = try RecordingMiddleware(
            environment: studio.environment, recorder: MockRecorder(folder: studio.folder["Mocks"]), tell: { _ in },
            variables: [:])
        _ = try await APIClient {
            $0.environment = studio.environment
            $0.middleware = [later]
        }
        .data(for: API.user(login: "a"))
        #expect(later.lines.map { $0.prefix { $0 != " " } } == ["unchanged", "renewed"])
    }

    @Test func `Secrets in existing settings are redacted`() async throws {
        let settings = """
            {"delay": 0.5, "fill": {"/id": "header.s3cret/value"}, "then": {"page": "s3cret/value"},
             "recorded": {"at": "2020-01-01T00:00:00Z", "from": "s3cret/value", "expires": "90d"}}
            """
        // The PIN is the year of the recording.
        let studio = try Studio(
            ["Mocks/login.mock.json": settings],
            handler: Self.json(#"{"id": 1}"#, ["ETag": "\"s3cret%2Fvalue-2023\"", "Location": "/s3cret/value"]))
        _ = try await studio.client.data(for: Route.post("login/2023").json(["pin": 2023]).mock("login"))
        #expect(
            try studio.files()["login.mock.json"] == """
                {
                  "delay" : 0.5,
                  "fill" : {
                    "/id" : "header.<secret key>"
                  },
                  "for" : "POST /login/{secret}",
                  "headers" : {
                    "ETag" : "\\"<secret key>-<redacted>\\"",
                    "Location" : "/<secret key>"
                  },
                  "recorded" : {
                    "at" : "2023-11-14T22:13:20Z",
                    "expires" : "90d",
                    "from" : "Live"
                  },
                  "then" : {
                    "page" : "<secret key>"
                  }
                }

                """)
        #expect(
            studio.lines().filter { $0.hasPrefix("redacted") } == [
                "redacted Mocks/login.mock.json at /fill/~1id", "redacted Mocks/login.mock.json at /headers/ETag",
                "redacted Mocks/login.mock.json at /headers/Location", "redacted Mocks/login.mock.json at /then/page",
            ])
    }

    /// Each with the reason why it is not written.
    @Test(
        arguments: [
            ([:], #"{"a": {"987654": 1}}"#, "a key of the body at /a contains a secret"),
            ([:], #"{"a": {"s3cret\/value-1": 1}}"#, "a key of the body at /a contains a secret"),
            ([:], #"{"password": "x"}"#, "a key of the body contains a secret"),
            (
                ["Mocks/page.mock.json": #"{"then": {"s3cret/value": "x"}}"#], "{}",
                "a key of the settings of \"page\" at /then contains a secret"
            ),
        ] as [([String: String], String, String)])
    func `JSON with a secret in a key is not written`(
        _ files: [String: String], _ body: String, _ reason: String
    ) async throws {
        let studio = try Studio(files, handler: Self.json(body))
        _ = try await studio.client.data(for: Route.post("page").json(["pass": "password"]).mock("page"))
        #expect(studio.lines() == ["not written: the answer to POST /page: \(reason)"])
        #expect(try studio.files().count == files.count)
    }

    @Test func `Credentials that are common words do not garble the recording`() async throws {
        let body =
            #"{"passwordResetRequired":true,"theme":"dark","latest":1,"role":"user","items":[1],"id":512345,"7987654":"x"}"#
        let studio = try Studio(handler: Self.json(body))
        let route = Route.post("page").json(["password": "test", "pin": 1234] as Parameters).header(
            "Cookie", "theme=dark; role=user; tab=items")
        _ = try await studio.client.data(for: route.mock("page"))
        #expect(studio.lines() == ["wrote Mocks/page.json", "wrote Mocks/page.mock.json"])
        let recorded = try JSONSerialization.jsonObject(with: Data(studio.files()["page.json"]?.utf8 ?? "".utf8))
        #expect(recorded as? NSDictionary == (try JSONSerialization.jsonObject(with: Data(body.utf8)) as? NSDictionary))
    }

    @Test(arguments: ["sequence", "failure"])
    func `Settings with a sequence or a failure are kept`(_ key: String) async throws {
        let settings = key == "sequence" ? #"{"sequence": [{"status": 202}, {}]}"# : #"{"failure": "timedOut"}"#
        let studio = try Studio(
            ["Mocks/users/show.json": "{}", "Mocks/users/show.mock.json": settings], handler: Self.json(#"{"id":1}"#))
        _ = try await studio.client.data(for: API.user(login: "a"))
        #expect(
            studio.lines() == [
                "kept Mocks/users/show.mock.json: its \"\(key)\" was written by hand; remove it to record GET /users/{login}/profile"
            ])
        #expect(try studio.files()["users/show.json"] == "{}")
    }

    @Test func `A file that answers instead of the recording is reported`() async throws {
        let studio = try Studio(["Mocks/page.json": "{}"]) { _, connection in
            connection.respond(204, body: "")
        }
        _ = try await studio.client.data(for: API.page)
        #expect(studio.lines().last == "but page.json answers for \"page\", not the recording: remove it")
    }

    @Test func `Of concurrent calls the one that started last is kept`() async throws {
        let studio = try Studio { request, connection in
            connection.respond(200, headers: ["Content-Type": "application/json"], body: "\"\(request.path)\"")
        }
        let first = RecordedTurn()
        let late = try RecordingMiddleware(
            environment: nil, recorder: MockRecorder(folder: studio.folder["Mocks"]), tell: { _ in }, variables: [:])
        let client = APIClient(baseURL: studio.server.baseURL, .with([late, first]))
        async let slow = client.data(for: API.user(login: "slow"))
        await first.started()
        _ = try await client.data(for: API.user(login: "quick"))
        first.release()
        _ = try await slow
        #expect(try studio.files()["users/show.json"] == "\"/users/quick/profile\"\n")
        let place = FilePath.display(studio.folder["Mocks/users/show.json"])
        #expect(
            late.lines.last
                == "kept \(place): it is from a later call than this GET /users/{login}/profile")
    }

    @Test func `Of concurrent calls of several tests the one that started last is kept with its settings`() async throws
    {
        let studio = try Studio { request, connection in
            let path = "\"\(request.path)\""
            connection.respond(200, headers: ["Content-Type": "application/json", "ETag": path], body: path)
        }
        let link = studio.folder["Linked"]
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: studio.folder["Mocks"])
        let recorders = try [studio.folder["Mocks"], link].map { folder in
            try RecordingMiddleware(
                environment: nil, recorder: .shared(for: folder), tell: { _ in }, variables: [:])
        }
        let first = RecordedTurn()
        let slowClient = APIClient(baseURL: studio.server.baseURL, .with([recorders[0], first]))
        async let slow = slowClient.data(for: API.user(login: "slow"))
        await first.started()
        let quickClient = APIClient(baseURL: studio.server.baseURL, .with([recorders[1]]))
        _ = try await quickClient.data(for: API.user(login: "quick"))
        first.release()
        _ = try await slow
        #expect(try studio.files()["users/show.json"] == "\"/users/quick/profile\"\n")
        #expect(try studio.files()["users/show.mock.json"]?.contains("quick") == true)
        #expect(recorders.map { $0.lines.map { $0.prefix { $0 != " " } } } == [["kept"], ["wrote", "wrote"]])
    }

    @Test func `All tests of a process have one recorder for a folder`() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let recorders = try [folder.url, folder.url, other.url].map { folder in
            try RecordingMiddleware(environment: nil, folder: folder, variables: [:]).recorder
        }
        #expect(recorders[0] === recorders[1])
        #expect(recorders[0] !== recorders[2])
    }

    @Test(arguments: [false, true])
    func `The body and the settings are always from the same call`(_ isSlowLast: Bool) async throws {
        let studio = try Studio { request, connection in
            let isQuick = request.path.contains("quick")
            connection.respond(
                isQuick ? 204 : 200, headers: ["Content-Type": "application/json"], body: isQuick ? "" : "[1]")
        }
        if isSlowLast {
            let first = RecordedTurn()
            let client = APIClient(baseURL: studio.server.baseURL, .with([studio.recorder, first]))
            async let slow = client.data(for: API.user(login: "slow"))
            await first.started()
            _ = try await client.data(for: API.user(login: "quick"))
            first.release()
            _ = try await slow
        } else {
            _ = try await studio.client.data(for: API.user(login: "slow"))
            _ = try await studio.client.data(for: API.user(login: "quick"))
        }
        #expect(try studio.files().keys.sorted() == ["users/show.204", "users/show.mock.json"])
        let line =
            isSlowLast
            ? "kept Mocks/users/show.204: it is from a later call than this GET /users/{login}/profile"
            : "removed Mocks/users/show.json (was recorded by an earlier call of this run)"
        #expect(studio.lines().contains(line), "\(studio.lines())")
    }

    @Test func `If the settings file is a link, no file is written`() async throws {
        let studio = try Studio(["Elsewhere/settings.json": "{}"], handler: Self.json("{}"))
        try FileManager.default.createSymbolicLink(
            at: studio.folder["Mocks/page.mock.json"], withDestinationURL: studio.folder["Elsewhere/settings.json"])
        await #expect(throws: APIError.self) { try await studio.client.data(for: API.page) }
        #expect(try studio.files().keys.sorted() == ["page.mock.json"])
        #expect(studio.lines() == [])
    }

    /// On most systems a file name has at most 255 bytes, too few for the settings of this mock.
    @Test func `If the settings cannot be written, the body is not written`() async throws {
        let name = String(repeating: "x", count: 247)
        let studio = try Studio(["Mocks/\(name).json": "old"], handler: Self.json("{}"))
        let route = Route.get("page").mock(MockName(rawValue: name))
        let error = await #expect(throws: APIError.self) { try await studio.client.data(for: route) }
        #expect(error?.message.contains("cannot be written") == true, "\(error?.message ?? "")")
        #expect(try studio.files() == ["\(name).json": "old"])
        #expect(studio.lines() == [])
    }

    @Test func `Files left behind by a crash are ignored and removed by the next recording`() async throws {
        let studio = try Studio(
            ["Mocks/users/show.json": "{}", "Mocks/users/.ABC.recording-part": "{"], handler: Self.json(#"{"id":1}"#))
        let folder = try MockFolder(url: studio.folder["Mocks"])
        #expect(folder.fileNames == ["users/show.json"])
        #expect(MockFolderCheck.problems(of: folder, at: Date()) == [])
        _ = try await studio.client.data(for: API.user(login: "a"))
        #expect(try studio.files().keys.sorted() == ["users/show.json", "users/show.mock.json"])
        #expect(try studio.files()["users/show.json"] == "{\n  \"id\": 1\n}\n")
    }

    /// A folder stands in the way of the second of the two files, which is what a crash between them looks like.
    @Test func `A recording that was cut in two is finished by the next recording`() async throws {
        let studio = try Studio(
            ["Mocks/users/list.json": "old", "Mocks/users/list.mock.json/x": ""], handler: Self.json(#"{"id":1}"#))
        let folder = studio.folder["Mocks/users"]
        let journal = RecordingJournal(
            in: folder, writing: ["list.json": Data("new".utf8), "list.mock.json": Data("{}".utf8)],
            removing: ["list.txt"])
        #expect(throws: FileProblem.self) { try journal.write() }
        #expect(try studio.files()["users/list.json"] == "new")
        try FileManager.default.removeItem(at: folder.appendingPathComponent("list.mock.json"))
        try studio.folder.write(Data("older".utf8), to: "Mocks/users/list.txt")
        _ = try await studio.client.data(for: API.user(login: "a"))
        #expect(
            try studio.files().keys.sorted() == [
                "users/list.json", "users/list.mock.json", "users/show.json", "users/show.mock.json",
            ])
        #expect(try studio.files()["users/list.mock.json"] == "{}")
    }

    /// The client's credential is in a header whose name is not that of a credential.
    @Test func `The client's own credential is redacted whatever its header`() async throws {
        let studio = try Studio(handler: Self.json(#"{"echo": "key own-credential-1"}"#)) {
            $0.authorization = .custom(header: "X-Custom", value: "own-credential-1")
        }
        _ = try await studio.client.data(for: API.page)
        #expect(try studio.files()["page.json"] == "{\n  \"echo\": \"key <redacted>\"\n}\n")
    }

    private static let unsearchable: [(String, Data)] = [
        ("text/plain; charset=utf-16", Data([0x61, 0])),
        ("text/plain", Data([0xFF, 0xFE, 0x61, 0])),
        ("application/json", Data([0xFF, 0xFE]) + Data(#"{"a": 1}"#.utf8.flatMap { [$0, 0] })),
        ("application/json", Data(#"{"a": 1}"#.utf8.flatMap { [0, $0] })),
        ("application/json", Data(#"{"a": 1}"#.utf8.flatMap { [$0, 0, 0, 0] })),
        ("image/png", Data("s3cret/value".utf8.flatMap { [$0, 0] })),
        ("application/json", Data(#"{"access_token": "tok-1", "n": NaN}"#.utf8)),
        ("text/plain", Data(#"{access_token: 'tok-1'}"#.utf8)),
        ("application/json", Data(#"{"access_token": "tok-1", /* c */ "n": 1}"#.utf8)),
    ]

    @Test(arguments: unsearchable) func `A body that cannot be searched is not written`(
        type: String, body: Data
    ) async throws {
        let studio = try Studio(handler: { _, connection in
            connection.respond(200, headers: ["Content-Type": type], body: body)
        })
        #expect(try await studio.client.data(for: API.page) == body)
        #expect(studio.lines().count == 1 && studio.lines()[0].hasPrefix("not written"), "\(studio.lines())")
        #expect(try studio.files() == [:])
    }

    /// The media type, the body and the recorded body.
    private static let issued: [(String, String, String, String)] = [
        ("text/plain", #"{"access_token": "tok-12345"}"#, "page.txt", "{\n  \"access_token\": \"<redacted>\"\n}\n"),
        (
            "application/octet-stream", "\u{FEFF}{\"clientSecret\":\"s\"}", "page",
            "{\n  \"clientSecret\": \"<redacted>\"\n}\n"
        ),
        (
            "application/x-www-form-urlencoded", "access_token=tok-12345&scope=a", "page",
            "access_token=<redacted>&scope=a"
        ),
        (
            "application/x-ndjson", "{\"a\":1}\n{\"refresh_token\":\"tok-12345\"}\n", "page",
            "{\"a\":1}\n{\"refresh_token\":\"<redacted>\"}\n"
        ),
        (
            "text/event-stream", "event: x\ndata: {\"token\":\"tok-12345\"}\n\n", "page",
            "event: x\ndata: {\"token\":\"<redacted>\"}\n\n"
        ),
        (
            "application/json", #"{"max_tokens":100,"next_page_token":"CiAKGjBpNDd2Nmp2Zml2","tokens":7}"#,
            "page.json",
            "{\n  \"max_tokens\": 100,\n  \"next_page_token\": \"CiAKGjBpNDd2Nmp2Zml2\",\n  \"tokens\": 7\n}\n"
        ),
        (
            "application/json", #"{"device_code":"d-1","user_code":"WDJB-MJHT","a":"{\"psk\":\"wifi-key-1\"}"}"#,
            "page.json",
            "{\n  \"a\": \"{\\\"psk\\\":\\\"<redacted>\\\"}\",\n  \"device_code\": \"<redacted>\",\n"
                + "  \"user_code\": \"<redacted>\"\n}\n"
        ),
        ("text/plain", "[INFO] started", "page.txt", "[INFO] started"),
    ]

    @Test(arguments: issued) func `Issued secrets are found whatever the media type`(
        type: String, body: String, file: String, recorded: String
    ) async throws {
        let studio = try Studio(handler: { _, connection in
            connection.respond(200, headers: ["Content-Type": type], body: body)
        })
        _ = try await studio.client.data(for: API.page)
        let files = try studio.files()
        #expect(files[file] == recorded, "\(studio.lines()) \(files)")
    }

    @Test(.heavy) func `A hundred concurrent calls leave one complete recording`() async throws {
        let studio = try Studio { request, connection in
            connection.respond(200, headers: ["Content-Type": "application/json"], body: "\"\(request.path)\"")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...100 {
                group.addTask { _ = try await studio.client.data(for: API.user(login: "\(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(try studio.files().keys.sorted() == ["users/show.json", "users/show.mock.json"])
        let kept = studio.lines().count { $0.hasPrefix("kept") }
        let written = studio.lines().count { $0.contains("show.json") && !$0.hasPrefix("kept") }
        #expect(kept + written == 100)
        _ = try await studio.replay().data(for: API.user(login: "x"))
    }

    @Test func `A name or link that leads outside the folder fails the call and writes nothing`() async throws {
        let studio = try Studio(handler: Self.json("{}"))
        let elsewhere = try TemporaryFolder()
        let error = await #expect(throws: APIError.self) { try await studio.client.data(for: API.outside) }
        #expect(error?.message.contains("could lead outside the folder") == true)
        try FileManager.default.createSymbolicLink(at: studio.folder["Mocks/users"], withDestinationURL: elsewhere.url)
        let linked = await #expect(throws: APIError.self) { try await studio.client.data(for: API.user(login: "a")) }
        #expect(linked?.message.contains("could lead outside the folder") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.url.path) == [])
    }

    @Test func `Routes without a mock and answers from mocks are not recorded`() async throws {
        let studio = try Studio(handler: Self.json("{}"))
        _ = try await studio.client.data(for: API.none)
        let sealed = try TemporaryFolder(["user.json": "{}"])
        var configuration = APIClient.Configuration()
        configuration.environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
        configuration.mocks = sealed.url
        configuration.middleware = [studio.recorder]
        _ = try await APIClient(configuration).data(for: Route.get("x").mock("user"))
        #expect(studio.lines() == [])
    }

    @Test(
        arguments: [
            (["CI": "true"], true), (["CI": "1"], true), (["CI": "true", "MOCKS_FORCE": "1"], false),
            (["CI": ""], false),
            (["CI": "false"], false), ([:], false), (["CI": "true", "MOCKS_FORCE": "0"], true),
        ])
    func `Recording is refused in continuous integration unless forced`(
        _ variables: [String: String], _ isRefused: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let recorder = MockRecorder(folder: folder.url)
        let make = {
            try RecordingMiddleware(environment: nil, recorder: recorder, tell: nil, variables: variables)
        }
        if isRefused {
            let problem = #expect(throws: FileProblem.self) { try make() }
            #expect(problem?.fix == "record them on your machine and commit them, or set MOCKS_FORCE=1")
        } else {
            _ = try make()
        }
    }
}

extension APIClient.Configuration {
    fileprivate static func with(_ middleware: [any Middleware]) -> Self {
        var configuration = Self()
        configuration.middleware = middleware
        return configuration
    }
}

/// Holds the first call, after the recorder has numbered it, until `release()`.
private final class RecordedTurn: Recorder {
    private let begun = AsyncStream.makeStream(of: Void.self)
    private let released = AsyncStream.makeStream(of: Void.self)
    private let isFirst = Locked(true)

    func started() async { for await _ in begun.stream { break } }
    func release() { released.continuation.finish() }

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        if isFirst.withLock({ isFirst in
            defer { isFirst = false }
            return isFirst
        }) {
            begun.continuation.yield()
            for await _ in released.stream {}
        }
        return try await next(request)
    }
}
