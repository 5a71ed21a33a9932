@testable import FingerpostFiles
@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockSettingsReaderTests {
    private func settings(_ text: String, _ files: [String: String] = ["job.json": "{}"]) throws -> MockSettings {
        let fixture = try MockFolderFixture(files.merging(["job.mock.json": text]) { first, _ in first })
        return try #require(try fixture.folder().mock(named: "job").settings)
    }

    /// An answer as text: its status, headers, delay and body, and the mocks that change after it.
    private func text(_ answer: StubResponse) -> String {
        let headers = answer.headers.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        let then = answer.then?.map { "\($0.mock) \($0.variant)" }.joined(separator: ", ")
        let parts = [answer.status.map(String.init), headers, answer.delay.map { "\($0)" }, answer.body, then]
        return parts.map { $0 ?? "-" }.joined(separator: "; ")
    }

    @Test func `Every key is read`() throws {
        let files = [
            "job.json": "{}", "job.pending.json": "{}", "jobs/list.json": "[]", "jobs/list.withNew.json": "[]",
        ]
        let settings = try settings(
            """
            {
              "$schema": "mock.schema.json",
              "for": "GET /jobs/{id}/raw",
              "status": 206,
              "headers": { "ETag": "\\"v2\\"", "Set-Cookie": ["a=1", "b=2"] },
              "delay": 0.25,
              "body": "job.json",
              "sequence": [
                { "status": 202, "body": "job.pending.json", "headers": { "etag": "x" } },
                { "failure": "timedOut", "delay": [1, 2.5] },
                { "failure": "empty", "then": {} }
              ],
              "after": "repeatLast",
              "then": { "jobs/list": "withNew" },
              "recorded": { "at": "2026-09-01T10:00:00Z", "from": "Staging", "expires": "90d" }
            }
            """, files)
        #expect((settings.route?.method, settings.route?.segments) == ("GET", ["jobs", nil, "raw"]))
        #expect(
            text(settings.response)
                == #"206; ETag: "v2", Set-Cookie: a=1, Set-Cookie: b=2; fixed(0.25 seconds); job.json; jobs/list withNew"#
        )
        let recorded = settings.recorded
        #expect(
            (settings.sequence.map(\.line), settings.after, recorded?.from, recorded?.lifetime, recorded?.line) == (
                [9, 10, 11], .repeatLast, "Staging", 7_776_000, 15
            ))
    }

    @Test func `An answer of a sequence inherits values that it does not set`() throws {
        let settings = try settings(
            """
            { "status": 201, "headers": { "ETag": "1", "X-A": "a" }, "delay": 1, "body": "job.json",
              "then": { "job": "b" },
              "sequence": [{}, { "status": 202, "headers": { "etag": "2" }, "delay": 0, "body": "job.b.json",
                                 "then": {} },
                           { "failure": "timedOut" }, { "failure": "empty" }] }
            """, ["job.json": "{}", "job.b.json": "{}"])
        #expect(
            settings.sequence.map(text) == [
                "201; ETag: 1, X-A: a; fixed(1.0 seconds); job.json; job b",
                "202; X-A: a, etag: 2; fixed(0.0 seconds); job.b.json; ", "-; ; fixed(1.0 seconds); -; job b",
                "201; ETag: 1, X-A: a; fixed(1.0 seconds); -; job b",
            ])
    }

    @Test func `A delay has three forms`() throws {
        let delays: [String: MockDelay] = [
            "0": .fixed(.zero), "1.5": .fixed(.seconds(1.5)), "86400": .fixed(.seconds(86_400)),
            "[0, 0]": .uniform(0...0), "[0.1, 2]": .uniform(0.1...2),
            #"{ "p99": 2, "median": 0.5 }"#: .logNormal(median: 0.5, p99: 2),
        ]
        for (text, delay) in delays {
            #expect(try settings("{ \"delay\": \(text) }").response.delay == delay, "\(text)")
        }
    }

    static let pieces: [(String, MockPace.Unit)] = [
        ("event", .event), ("line", .line), ("bytes:1", .bytes(1)), ("bytes:4096", .bytes(4096)),
        ("bytes:007", .bytes(7)),
    ]
    static let noPieces = [
        "", "events", "Line", "bytes", "bytes:", "bytes:0", "bytes:-1", "bytes:+1", "bytes: 1", "bytes:1k",
    ]

    @Test func `A pace has a unit, and another one is an error`() throws {
        for (text, unit) in Self.pieces {
            let pace = try settings("{ \"pace\": { \"each\": \"\(text)\", \"delay\": 0.2 } }").response.pace
            #expect((pace?.unit, pace?.interval, MockPace.Unit(unit.name)) == (unit, .seconds(0.2), unit), "\(text)")
        }
        #expect(Self.noPieces.filter { MockPace.Unit($0) != nil } == [])
    }

    @Test func `A pace is inherited, and a connection stays open unless it fails`() throws {
        let settings = try settings(
            """
            { "pace": { "each": "line" }, "open": true,
              "sequence": [{}, { "pace": {}, "open": false }, { "failure": "truncated", "after": 0 },
                           { "failure": "timedOut" }, { "failure": "empty" }],
              "after": "loop" }
            """)
        let sequence = settings.sequence
        let found = (
            sequence.map(\.pace?.unit), sequence.map(\.isOpen), sequence.map(\.after), settings.after,
            settings.response.after
        )
        #expect(
            found == (
                [.line, nil, .line, nil, nil], [true, false, nil, nil, nil], [nil, nil, 0, nil, nil], .loop, nil
            ))
    }

    static let routes: [(String, String, [String?])] = [
        ("GET /", "GET", []), ("POST /jobs", "POST", ["jobs"]), ("GET /jobs/{id}", "GET", ["jobs", nil]),
        ("PROPFIND /a%20b/", "PROPFIND", ["a%20b", ""]), ("GET /{a}/{b}/c.json", "GET", [nil, nil, "c.json"]),
        ("GET /jobs?page=2&sort=a%20b", "GET", ["jobs"]), ("GET /?a", "GET", []),
    ]

    @Test func `A route is a method and a path`() throws {
        for (text, method, segments) in Self.routes {
            let route = try MockRoute(text)
            #expect((route.method, route.segments, route.description) == (method, segments, text))
        }
    }

    static let lifetimes: [(String, Double)] = [("90d", 7_776_000), ("12h", 43_200), ("30m", 1800), ("45s", 45)]

    @Test func `The lifetime of a recording is parsed to seconds`() throws {
        for (text, seconds) in Self.lifetimes {
            let recorded = try #require(
                settings(#"{ "recorded": { "at": "2026-01-01T00:00:00Z", "expires": "\#(text)" } }"#).recorded)
            let isExpired = [seconds, seconds + 1].map { recorded.isExpired(at: recorded.at.addingTimeInterval($0)) }
            #expect((recorded.lifetime, isExpired) == (seconds, [false, true]))
        }
    }

    // MARK: Precedence

    @Test func `A variant inherits only the route of the default settings`() throws {
        let fixture = try MockFolderFixture([
            "login.json": "{}", "login.401.json": "{}", "login.locked.json": "{}",
            "login.mock.json": #"{ "for": "POST /login", "status": 201, "delay": 3 }"#,
            "login.locked.mock.json": #"{ "status": 423 }"#, "login.slow.mock.json": #"{ "delay": 9 }"#,
            "login.other.mock.json": #"{ "for": "POST /session", "body": "login.401.json" }"#,
        ])
        let folder = try fixture.folder()
        #expect(folder.stub(named: "login").variantNames == ["401", "locked", "other", "slow"])
        let found = try [nil, "401", "locked", "slow", "other"].map { variant in
            let mock = try folder.mock(named: "login", variant: variant)
            let settings = try #require(mock.settings)
            let status = settings.response.status ?? mock.named.status
            let delay = settings.response.delay.map { "\($0)" } ?? "-"
            return "\(mock.file ?? "-") \(settings.route?.description ?? "-") \(status ?? 0) \(delay)"
        }
        #expect(
            found == [
                "login.json POST /login 201 fixed(3.0 seconds)", "login.401.json POST /login 401 -",
                "login.locked.json POST /login 423 -", "login.json POST /login 200 fixed(9.0 seconds)",
                "login.401.json POST /session 200 -",
            ])
    }

    @Test func `A mock can consist of settings only`() throws {
        let fixture = try MockFolderFixture([
            "job.mock.json": #"{ "failure": "timedOut" }"#, "gone.mock.json": #"{ "status": 204 }"#,
            "steps.mock.json": #"{ "sequence": [{ "status": 202 }, { "body": "a/b.json" }] }"#, "a/b.json": "{}",
            "a/c.mock.json": #"{ "body": "../a/b.json" }"#,
        ])
        let folder = try fixture.folder()
        let names = ["a/b", "a/c", "gone", "job", "steps"]
        let mocks = try names.map { try folder.mock(named: $0) }
        #expect((folder.mockNames, mocks.map(\.file)) == (names, ["a/b.json", "a/b.json", nil, nil, nil]))
        let (failure, bodies) = (mocks[3].settings?.response.failure, mocks[4].settings?.sequence.map(\.body))
        #expect((failure, bodies) == (.urlError(-1001), [nil, "a/b.json"]))
    }
}
