@testable import FingerpostMockFiles
@testable import FingerpostTesting

@Suite(.inTurn, .concurrent) struct RecordingMiddlewareTests {
    typealias API = RecorderFixture.API

    @Test func `An answer becomes a body and settings that replay unchanged`() async throws {
        let body = #"{"login":"octocat","id":12345678901234567890.10e-19}"#
        let studio = try RecorderFixture(
            answer: body, ["ETag": "\"v1\"", "Link": "<x>; rel=next", "Set-Cookie": "sid=cookie-1", "X-Other": "1"])
        let live = try await studio.client.send(API.user(login: "octo cat"), as: JSONValue.self)
        #expect(
            try studio.files() == [
                "users/show.json": body,
                "users/show.mock.json": """
                {
                  "for" : "GET /users/{login}/profile",
                  "headers" : {
                    "ETag" : "\\"v1\\"",
                    "Link" : "<x>; rel=next"
                  },
                  "recorded" : {
                    "at" : "2023-11-14T22:13:20Z",
                    "by" : "FingerpostTestingTests.RecorderFixture.API.user",
                    "from" : "Live"
                  }
                }

                """,
            ])
        let replayed = try await studio.replay().response(for: API.user(login: "someone"), as: JSONValue.self)
        let found = (replayed.value, replayed.status, replayed.headers[.etag], replayed.headers[.link], studio.lines())
        #expect(
            found == (
                live, 200, "\"v1\"", "<x>; rel=next",
                ["wrote Mocks/users/show.json", "wrote Mocks/users/show.mock.json"]
            ))
        #expect(try studio.findings(API.user(login: "x"), skipping: [.untyped]) == [])
    }

    /// The media type, and a body without secrets.
    private static let bodies: [(type: String?, body: String)] = [
        ("application/json", #""CH""#), (nil, #""CH""#), (nil, "OK ready\n"), ("text/plain", "OK ready\n"),
        ("application/json", #"{"b":12345678901234567890,"a":1.10, "e":["\u00e9\/", "a\"b\\"],"b":2}"# + "\n\n"),
        ("application/json", #"{"a":1e400,"b":1E-400,"c":-0,"d":-123456789012345678901234567.5}"#),
        ("application/json", "\u{FEFF}[ 1,\t2 ]\r\n"), (nil, #"{"b":1,"a":2}"#), ("text/plain", #"{"b":1,"a":2}"#),
        ("application/json; charset=utf-8", " null "), ("application/json; charset=iso-8859-1", #""a""#),
        ("application/x-ndjson", "{\"b\":1,\"a\":2}\n\n  \n3"), ("text/html", "<p>\r\n"),
        ("application/json", "{broken"),
        ("application/vnd.api+json", "[1,\n2]"), ("text/event-stream", "data:{\"b\": 1}\n\n: x\n\n"),
    ]

    @Test(arguments: bodies.indices)
    func `A body without secrets is recorded byte for byte, and its values are those of the server`(
        index: Int
    ) async throws {
        let (type, body) = Self.bodies[index]
        let studio = try RecorderFixture(answers: [(200, type ?? "", body)])
        let data = try await studio.client.data(for: API.page)
        let text = try await studio.client.send(API.page, as: String?.self)
        let replay = try studio.replay()
        let found = try await (data, replay.data(for: API.page), replay.send(API.page, as: String?.self))
        #expect(found == (Data(body.utf8), data, text))
    }

    private static let routes: [String: API] = [
        "save": .save(login: "a"), "user": .user(login: "a"), "avatar": .avatar, "page": .page, "feed": .feed,
        "bad": .bad,
    ]

    /// The route, the status, the type and the body of the answer, and the files.
    private static let answers = #"""
        save | 201 | application/json | {"id":1} | users/save.json users/save.mock.json
        save | 204 |  |  | users/save.204 users/save.mock.json
        user | 404 | application/json | {"message":"no"} | users/show.404.json users/show.404.mock.json users/show.mock.json
        user | 502 | text/html | <h1>no</h1> | users/show.502.html users/show.502.mock.json users/show.mock.json
        avatar | 200 | image/webp | RIFF | avatar.png avatar.png.mock.json
        avatar | 404 | image/png | \#u{89}PNG | avatar.404.png avatar.png.404.mock.json avatar.png.mock.json
        avatar | 404 | application/json | {} | avatar.png.404.json avatar.png.404.mock.json avatar.png.mock.json
        page | 200 | text/html; charset=utf-8 | <p> | page.html page.mock.json
        feed | 200 | application/atom+xml | <feed/> | feed.mock.json feed.xml
        bad | 200 | application/json | {broken | bad.json bad.mock.json
        feed | 200 | application/vnd.api+json | [1] | feed.json feed.mock.json
        page | 200 | audio/mpeg | abc | page.mock.json page.mp3
        page | 200 | text/calendar | abc | page.ics page.mock.json
        page | 200 | image/avif | abc | page.avif page.mock.json
        page | 200 | text/xml | abc | page.mock.json page.xml
        """#

    @Test(arguments: answers.components(separatedBy: "\n"))
    func `Every kind of answer is recorded with its file extension, and replayed`(row: String) async throws {
        let parts = row.components(separatedBy: " | ")
        let (route, status) = (try #require(Self.routes[parts[0]]), Int(parts[1]) ?? 0)
        let studio = try RecorderFixture(answers: [(status, parts[2], parts[3])])
        let live = await Self.outcome(of: route, studio.client)
        var replayed: [[String]] = []
        for variants in status < 300 ? [[:]] : [[:], [route.mock!: "\(status)"]] {
            let replay = try studio.replay()
            replayed.append(await APIScope(variants: variants).run { await Self.outcome(of: route, replay) })
        }
        let found = try (studio.lines().filter { !$0.hasPrefix("wrote") }, studio.files().keys.sorted(), Set(replayed))
        #expect(found == ([], parts[4].components(separatedBy: " "), [live]))
    }

    @Test(arguments: [
        ([401], "status 401"), ([401, 401], "status 401"), ([401, 200], "200"), ([401, 200, 401], "200"),
    ])
    func `A recorded error is the default answer until a successful answer is recorded`(
        recorded: [Int], expected: String
    ) async throws {
        let studio = try RecorderFixture(answers: recorded.map { ($0, "application/json", #"{"status":\#($0)}"#) })
        for _ in recorded { _ = await Self.outcome(of: .user(login: "a"), studio.client) }
        let replay = try studio.replay()
        let replayed = await Self.outcome(of: .user(login: "a"), replay).first
        let variant = await APIScope(variants: ["users/show": "401"]).run {
            await Self.outcome(of: .user(login: "a"), replay).first
        }
        let warnings = studio.lines().filter { $0.hasPrefix("but") || $0.hasPrefix("kept") }
        #expect((replayed, variant, warnings) == (expected, "status 401", []))
    }

    @Test func `A recorded error leaves a default answer alone`() async throws {
        let studio = try RecorderFixture(["Mocks/users/show.json": "{}"]) { _, connection in connection.respond(401) }
        _ = await Self.outcome(of: .user(login: "a"), studio.client)
        #expect(try studio.files().keys.sorted() == ["users/show.401", "users/show.401.mock.json", "users/show.json"])
    }

    /// The status or the error's kind, the body without whitespace, and the content type.
    private static func outcome(of route: API, _ client: APIClient) async -> [String] {
        do {
            let response = try await client.response(for: route, as: Data.self)
            return ["\(response.status)", text(response.data), response.headers[.contentType] ?? ""]
        } catch {
            return ["\(error.kind)", text(error.body ?? Data()), error.headers[.contentType] ?? ""]
        }
    }

    private static func text(_ data: Data) -> String {
        String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// The first words of the report of a later run.
    private func recordAgain(_ studio: RecorderFixture) async throws -> [Substring] {
        let later = try studio.later()
        _ = try await later.client.data(for: API.user(login: "a"))
        return later.lines().map { $0.prefix { $0 != " " } }
    }

    @Test func `Each replaced file is reported, and settings written by hand are kept`() async throws {
        let settings =
            #"{"delay": 0.5, "status": 201, "recorded": {"at": "2020-01-01T00:00:00Z", "from": "Old", "expires": "90d"}}"#
        let files = ["Mocks/users/show.json": "{}", "Mocks/users/show.mock.json": settings]
        let studio = try RecorderFixture(files, answer: #"{"id":1}"#)
        _ = try await studio.client.data(for: API.user(login: "a"))
        _ = try await studio.client.data(for: API.user(login: "a"))
        #expect(
            studio.lines() == [
                "replaced Mocks/users/show.json (was 2 bytes)",
                "replaced Mocks/users/show.mock.json (was recorded 2020-01-01T00:00:00Z from Old)",
                "unchanged Mocks/users/show.json", "unchanged Mocks/users/show.mock.json",
            ])
        let kept = try MockIndex(url: studio.folder["Mocks"]).mock(named: "users/show").settings
        let found = try await (
            kept?.response.status, kept?.response.delay, kept?.recorded?.lifetime, recordAgain(studio)
        )
        #expect(found == (nil, .fixed(.seconds(0.5)), 7_776_000, ["unchanged", "renewed"]))
    }

    @Test func `Recording again changes no file whose answer is the same`() async throws {
        let studio = try RecorderFixture(answer: #"{"access_token":"t0ken-of-server"}"#)
        _ = try await studio.client.data(for: API.user(login: "a"))
        _ = try await studio.client.data(for: API.user(login: "a"))
        #expect(
            studio.lines() == [
                "wrote Mocks/users/show.json", "wrote Mocks/users/show.mock.json",
                "redacted Mocks/users/show.json at /access_token", "unchanged Mocks/users/show.json",
                "unchanged Mocks/users/show.mock.json",
            ])
        let before = try studio.files()
        let found = try await (recordAgain(studio), studio.files())
        #expect(found == (["unchanged", "unchanged", "redacted"], before))
    }

    private enum Keyed: Routable {
        case keyed, other
        var path: RoutePath {
            self == .keyed ? "v\(environment: "version")/\(environment: "version")" : "bot\(revealing: "key")/x"
        }
    }

    @Test func `A recording of a route with keys answers it`() async throws {
        let studio = try RecorderFixture(
            ["Environments/Base-Env.json": #"{"version": 7}"#], answer: #"{"id":1}"#)
        for route in [Keyed.keyed, .other] { _ = try await studio.client.data(for: route) }
        let texts = try studio.files().values.filter { $0.contains("s3cret") }
        let found = try (studio.requests(), texts)
        #expect(found == (["keyed": "GET /{key}/{key}", "other": "GET /{key}/x"], []))
        let client = try studio.replay([
            "baseURL": "https://t.invalid", "version": 8, "key": "abcdefgh", "$secrets": ["key"],
        ])
        for route in [Keyed.keyed, .other] { _ = try await client.data(for: route) }
    }

    @Test func `A 401 that a refresh answers is not written`() async throws {
        let studio = try RecorderFixture { request, connection in
            let isNew = request.values(of: "authorization") == ["Bearer new-token"]
            connection.respond(isNew ? 200 : 401, body: isNew ? #"{"id":1}"# : #"{"message":"expired"}"#)
        } configure: {
            $0.authorization = .refreshing(InMemoryCredentialStore("old-token")) { _ in "new-token" }
        }
        _ = try await studio.client.data(for: API.user(login: "a"))
        #expect(studio.lines() == ["wrote Mocks/users/show.json", "wrote Mocks/users/show.mock.json"])
    }

    @Test func `Headers that the settings have are recorded anew, unless they are credentials`() async throws {
        let settings = #"{"headers": {"x-total-count": "1", "X-Gone": "1", "X-Api-Key": "old", "etag": "old"}}"#
        let studio = try RecorderFixture(
            ["Mocks/users/show.json": "{}", "Mocks/users/show.mock.json": settings],
            handler: { _, connection in
                connection.respond(
                    200,
                    headers: [
                        "Content-Type": "application/json", "X-Total-Count": "2 of s3cret/value", "X-Other": "1",
                        "X-Api-Key": "new-key", "ETag": "new",
                    ], body: "{}")
            })
        _ = try await studio.client.data(for: API.user(login: "a"))
        #expect(
            try studio.settings(of: "users/show")["headers"] == ["ETag": "new", "x-total-count": "2 of <secret key>"])
    }

    @Test(arguments: ["sequence", "failure"])
    func `Settings with a sequence or a failure are kept`(_ key: String) async throws {
        let settings = key == "sequence" ? #"{"sequence": [{"status": 202}, {}]}"# : #"{"failure": "timedOut"}"#
        let files = ["Mocks/users/show.json": "{}", "Mocks/users/show.mock.json": settings]
        let studio = try RecorderFixture(files, answer: #"{"id":1}"#)
        _ = try await studio.client.data(for: API.user(login: "a"))
        let found = try (studio.lines(), studio.files()["users/show.json"])
        #expect(
            found == (
                [
                    "kept Mocks/users/show.mock.json: its \"\(key)\" was written by hand; remove it to record GET /users/{login}/profile"
                ], "{}"
            ))
    }

    @Test func `A file that answers instead of the recording is reported`() async throws {
        let studio = try RecorderFixture(["Mocks/page.json": "{}"], answers: [(204, "", "")])
        _ = try await studio.client.data(for: API.page)
        #expect(studio.lines().last == "but page.json answers for \"page\", not the recording: remove it")
    }

    /// A status, a type and a body of a response, and the file that records it.
    private typealias Kind = (status: Int, type: String, body: String, file: String)

    private static let kinds: [Kind] = [
        (200, "application/json", "{}", "page.json"), (200, "text/plain", "a", "page.txt"),
        (200, "text/html", "<p>", "page.html"), (200, "text/event-stream", "data: 1\n\n", "page.events"),
        (200, "application/x-unknown", "a", "page"), (204, "", "", "page.204"),
    ]

    @Test(arguments: kinds.indices, [1, kinds.count - 1])
    func `A body of another content type takes the place of the one before`(index: Int, distance: Int) async throws {
        let (first, second) = (Self.kinds[index], Self.kinds[(index + distance) % Self.kinds.count])
        let studio = try RecorderFixture(answers: [first, second].map { ($0.status, $0.type, $0.body) })
        _ = try await studio.client.data(for: API.page)
        let later = try studio.later()
        _ = try await later.client.data(for: API.page)
        let replayed = try await studio.replay().response(for: API.page, as: Data.self)
        let removed = "removed Mocks/\(first.file) (was recorded with another content type)"
        let others = later.lines().filter { $0 != removed && !["wr", "re", "un"].contains($0.prefix(2)) }
        let found = try (
            Set(studio.files().keys), others, later.lines().contains(removed), Self.text(replayed.data),
            replayed.status, studio.problems()
        )
        #expect(
            found == ([second.file, "page.mock.json"], [], true, Self.text(Data(second.body.utf8)), second.status, []),
            "\(later.lines())")
    }

    @Test func `An error of another content type takes the place of the one before`() async throws {
        let studio = try RecorderFixture(answers: [(404, "application/json", "{}"), (404, "text/html", "<p>")])
        for run in [studio, try studio.later()] { _ = try? await run.client.data(for: API.page) }
        let found = try (studio.files().keys.sorted(), studio.problems())
        #expect(found == (["page.404.html", "page.404.mock.json", "page.mock.json"], []))
    }

    @Test func `A body that a person wrote stays and is reported`() async throws {
        let files = ["Mocks/page.txt": "a", "Mocks/page.mock.json": #"{"body": "page.txt"}"#]
        let studio = try RecorderFixture(files, answer: "{}")
        _ = try await studio.client.data(for: API.page)
        let found = try (studio.files()["page.txt"], studio.lines().last)
        #expect(found == ("a", "kept Mocks/page.txt: the recorder did not write it; remove it if nothing uses it"))
    }

    @Test func `A name or link that leads outside the folder fails the test and not the call`() async throws {
        let studio = try RecorderFixture(answer: "{}")
        let elsewhere = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(at: studio.folder["Mocks/users"], withDestinationURL: elsewhere.url)
        for route in [API.outside, .user(login: "a")] {
            #expect(try await studio.client.data(for: route) == Data("{}".utf8))
        }
        let failures = studio.recorder.finish()
        let found = try (failures, failures.map { $0.contains("could lead outside the folder") }, elsewhere.names)
        #expect(found == (studio.recorder.lines, [true, true], []), "\(failures)")
    }

    @Test func `Routes without a mock and answers from mocks are not recorded`() async throws {
        let studio = try RecorderFixture(answer: "{}")
        _ = try await studio.client.data(for: API.none)
        try studio.folder.write(Data("{}".utf8), to: "Mocks/user.json")
        let sealed = try studio.replay().with { $0.middleware = [studio.recorder] }
        _ = try await sealed.data(for: Route.get("x").mock("user"))
        #expect(studio.lines() == [])
    }

    @Test(
        arguments: [
            (["CI": "true"], true), (["CI": "1"], true), (["CI": "true", "MOCKS_FORCE": "1"], false),
            (["CI": ""], false), (["CI": "false"], false), ([:], false), (["CI": "true", "MOCKS_FORCE": "0"], true),
        ])
    func `Recording is refused in continuous integration unless forced`(
        _ variables: [String: String], _ isRefused: Bool
    ) throws {
        let folder = try TemporaryFolder()
        var fix: String?
        do {
            _ = try RecordingMiddleware(
                environment: nil, recorder: MockRecorder(folder: folder.url), tell: nil, variables: variables)
        } catch { fix = (error as? FileProblem)?.fix ?? "\(error)" }
        #expect(fix == (isRefused ? "record them on your machine and commit them, or set MOCKS_FORCE=1" : nil))
    }
}
