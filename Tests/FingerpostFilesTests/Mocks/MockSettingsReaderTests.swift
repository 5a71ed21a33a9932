@testable import FingerpostFiles
@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockSettingsReaderTests {
    private func settings(_ text: String, _ files: [String: String] = ["job.json": "{}"]) throws -> MockSettings {
        let fixture = try MockFolderFixture(files.merging(["job.mock.json": text]) { first, _ in first })
        return try #require(try fixture.folder().mock(named: "job").settings)
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
        let response = settings.response
        #expect((response.status, response.headers.map(\.name)) == (206, ["ETag", "Set-Cookie", "Set-Cookie"]))
        #expect(
            (response.headers.map(\.value), response.delay, response.body, response.then?.map(\.mock)) == (
                ["\"v2\"", "a=1", "b=2"], .fixed(.seconds(0.25)), "job.json", ["jobs/list"]
            ))
        #expect(
            (settings.after, settings.recorded?.from, settings.recorded?.lifetime, settings.recorded?.line) == (
                .repeatLast, "Staging", 7_776_000, 15
            ))
        #expect(settings.sequence.map(\.line) == [9, 10, 11])
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
        let sequence = settings.sequence
        let headers = sequence.map { $0.headers.map(\.value) }
        #expect(
            (sequence.map(\.status), headers) == ([201, 202, nil, 201], [["1", "a"], ["a", "2"], [], ["1", "a"]]))
        let seconds = sequence.map { $0.delay == .fixed(.seconds(1)) ? 1 : $0.delay == .fixed(.zero) ? 0 : -1 }
        let thens = sequence.map { $0.then?.count ?? 0 }
        #expect(
            (seconds, thens, sequence.map(\.body)) == (
                [1, 0, 1, 1], [1, 0, 1, 1], ["job.json", "job.b.json", nil, nil]
            ))
    }

    private static let delays: [(String, MockDelay)] = [
        ("0", .fixed(.zero)), ("1.5", .fixed(.seconds(1.5))), ("86400", .fixed(.seconds(86_400))),
        ("[0, 0]", .uniform(0...0)),
        ("[0.1, 2]", .uniform(0.1...2)), (#"{ "p99": 2, "median": 0.5 }"#, .logNormal(median: 0.5, p99: 2)),
    ]

    @Test(arguments: delays) func `A delay has three forms`(text: String, delay: MockDelay) throws {
        #expect(try settings("{ \"delay\": \(text) }").response.delay == delay)
    }

    static let pieces: [(String, MockPace.Unit)] = [
        ("event", .event), ("line", .line), ("bytes:1", .bytes(1)), ("bytes:4096", .bytes(4096)),
        ("bytes:007", .bytes(7)),
    ]

    @Test(arguments: pieces) func `A pace has a unit`(text: String, unit: MockPace.Unit) throws {
        let pace = try settings("{ \"pace\": { \"each\": \"\(text)\", \"delay\": 0.2 } }").response.pace
        #expect((pace?.unit, pace?.interval, MockPace.Unit(unit.name)) == (unit, .seconds(0.2), unit))
    }

    static let noPieces = [
        "", "events", "Line", "bytes", "bytes:", "bytes:0", "bytes:-1", "bytes:+1", "bytes: 1", "bytes:1k",
    ]

    @Test func `Another unit is an error`() {
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
        #expect(sequence.map(\.pace?.unit) == [.line, nil, .line, nil, nil])
        let ends = (sequence.map(\.isOpen), sequence.map(\.after))
        #expect(ends == ([true, false, nil, nil, nil], [nil, nil, 0, nil, nil]))
        #expect((settings.after, settings.response.after) == (.loop, nil))
    }

    static let routes: [(String, String, [String?])] = [
        ("GET /", "GET", []), ("POST /jobs", "POST", ["jobs"]), ("GET /jobs/{id}", "GET", ["jobs", nil]),
        ("PROPFIND /a%20b/", "PROPFIND", ["a%20b", ""]), ("GET /{a}/{b}/c.json", "GET", [nil, nil, "c.json"]),
        ("GET /jobs?page=2&sort=a%20b", "GET", ["jobs"]), ("GET /?a", "GET", []),
    ]

    @Test(arguments: routes) func `A route is a method and a path`(
        text: String, method: String, segments: [String?]
    ) throws {
        let route = try MockRoute(text)
        #expect((route.method, route.segments, route.description) == (method, segments, text))
    }

    static let lifetimes: [(String, Double)] = [("90d", 7_776_000), ("12h", 43_200), ("30m", 1800), ("45s", 45)]

    @Test(arguments: lifetimes) func `A lifetime is parsed to seconds`(text: String, seconds: Double) throws {
        let recorded = try #require(
            try settings("{ \"recorded\": { \"at\": \"2026-01-01T00:00:00Z\", \"expires\": \"\(text)\" } }").recorded)
        let isExpired = [seconds, seconds + 1].map { recorded.isExpired(at: recorded.at.addingTimeInterval($0)) }
        #expect((recorded.lifetime, isExpired) == (seconds, [false, true]))
    }

    @Test(
        arguments: [
            ("2024-02-29T23:59:59.250Z", true), ("2026-01-31", true), ("2026-02-29T12:00:00Z", false), ("", false),
        ])
    func `The date of a recording must exist in the calendar`(_ text: String, _ isDate: Bool) throws {
        let settings = #"{"recorded": {"at": "\#(text)"}}"#
        if isDate {
            #expect(try self.settings(settings).recorded?.at == ISO8601Text.date(text))
        } else {
            #expect(throws: MockIndex.Failure.self) { try self.settings(settings) }
        }
    }

    @Test func `Every one of many headers is inherited once`() throws {
        let headers = (0..<8000).map { #""X-\#($0)": "\#($0)""# }.joined(separator: ", ")
        #expect(try settings("{\"headers\": {\(headers)}}").response.headers.count == 8000)
        #expect(throws: MockIndex.Failure.self) { try settings("{\"headers\": {\(headers), \"x-7\": \"1\"}}") }
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
            let response = try #require(mock.settings?.response)
            let route = try #require(mock.settings?.route)
            let delay: Double? = if case .fixed(let delay) = response.delay { delay / .seconds(1) } else { nil }
            return "\(mock.file ?? "-") \(route) \(response.status ?? mock.named.status ?? 0) \(delay ?? 0)"
        }
        #expect(
            found == [
                "login.json POST /login 201 3.0", "login.401.json POST /login 401 0.0",
                "login.locked.json POST /login 423 0.0", "login.json POST /login 200 9.0",
                "login.401.json POST /session 200 0.0",
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
        #expect(
            try (folder.mockNames, names.map { try folder.mock(named: $0).file }) == (
                names, ["a/b.json", "a/b.json", nil, nil, nil]
            ))
        #expect(try folder.mock(named: "job").settings?.response.failure == .urlError(-1001))
        #expect(try folder.mock(named: "steps").settings?.sequence.map(\.body) == [nil, "a/b.json"])
    }
}
