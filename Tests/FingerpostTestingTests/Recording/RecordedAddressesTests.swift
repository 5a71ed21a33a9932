import FingerpostStreams

@testable import FingerpostTesting

/// The request that recorded settings are `for`.
@Suite(.inTurn) struct RecordedAddressesTests {
    private enum API: Routable {
        case jobs(id: Int)
        case tile(row: Int)
        case cancel(job: String)
        case chunk(URL)
        case job(URL)
        case list(URL)

        var method: HTTPMethod { if case .chunk = self { .put } else { .get } }
        var path: RoutePath {
            switch self {
            case .jobs(let id): "jobs/\(id)"
            case .tile(let row): "tiles/\(row).png"
            case .cancel(let job): "jobs/\(job):cancel"
            case .chunk(let url), .job(let url), .list(let url): RoutePath(url)
            }
        }
        var mock: MockName? { if case .job = self { "chunk" } else { nil } }
        var responseType: (any (Decodable & Sendable).Type)? { [Int].self }
    }

    private enum Renamed: Routable {
        case upload(URL)

        var method: HTTPMethod { .put }
        var path: RoutePath { if case .upload(let url) = self { RoutePath(url) } else { "" } }
    }

    private static func studio(_ files: [String: String] = [:], body: String = "[1]") throws -> RecorderFixture {
        try RecorderFixture(
            files.reduce(into: [:]) { $0["Mocks/\($1.key)"] = $1.value }, answer: body)
    }

    private static func address(_ path: String, _ studio: RecorderFixture) throws -> URL {
        try #require(URL(string: "\(studio.server.baseURL)/\(path)"))
    }

    @Test func `A case with an absolute URL is recorded without a request, and any address replays and is audited`()
        async throws
    {
        let studio = try Self.studio()
        for path in ["up/a18b24e7", "up/c77d"] {
            _ = try await studio.client.data(for: API.chunk(Self.address(path, studio)))
        }
        let settings = try studio.settings(of: "chunk")
        let other = try #require(URL(string: "https://elsewhere.example/x/y?z=1"))
        let found = try await (
            settings["for"], settings["recorded"] != nil, studio.replay().send(API.chunk(other), as: [Int].self),
            studio.findings(API.chunk(other))
        )
        #expect(found == (nil, true, [1], []))

        // The next case of this name in the same run is an error: nothing but the case tells their addresses apart.
        _ = try await studio.client.data(for: API.job(Self.address("jobs/1", studio)))
        #expect(
            studio.lines().last?.hasPrefix("not written: the answer to GET /jobs/1: Mocks/chunk.mock.json is of ")
                == true && studio.lines().last?.hasSuffix("set `mock` in one of the two routes") == true,
            "\(studio.lines())")
    }

    @Test func `The later pages of a one-time address keep their queries`() async throws {
        let studio = try RecorderFixture { request, connection in
            let isLast = request.target.contains("after")
            let link: KeyValuePairs =
                isLast ? [:] : ["Link": "<http://\(request["Host"] ?? "")/delta?after=2>; rel=next"]
            connection.respond(200, headers: link, body: isLast ? "[2]" : "[1]")
        }
        let list = API.list(try Self.address("delta?from=1", studio))
        _ = try await studio.client.pages(list, as: [Int].self).all()
        let other = API.list(try #require(URL(string: "https://elsewhere.example/sync")))
        let found = try await (
            studio.requests()["list.page2"], studio.replay().pages(other, as: [Int].self).all().map(\.value),
            studio.findings(other)
        )
        #expect(found == ("GET /delta?after=2", [[1], [2]], []))
    }

    @Test func `A route without a case is for its path below the base URL, and values of a case are placeholders`()
        async throws
    {
        let studio = try Self.studio()
        // Values beside a dot or a colon are placeholders too.
        let route = Route.get(try Self.address("jobs/9", studio)).mock("x")
        for route in [route, API.tile(row: 7), API.cancel(job: "j1")] as [any RouteConvertible] {
            _ = try await studio.client.data(for: route)
        }
        #expect(try studio.requests() == ["x": "GET /jobs/9", "tile": "GET /tiles/{row}", "cancel": "GET /jobs/{job}"])
    }

    /// Each with the request before, that after, and whether the settings were recorded.
    @Test(
        arguments: [
            ("GET /jobs/{id}", "GET /jobs/{id}", true), ("GET /jobs/{any}", "GET /jobs/{any}", true),
            ("GET /jobs/7?x=1", "GET /jobs/7?x=1", true), (nil, nil, true),
            ("GET /jobs/{any}", "GET /jobs/{id}", false), (nil, "GET /jobs/{id}", false),
        ] as [(String?, String?, Bool)])
    func `Recorded settings keep the request that they have`(
        before: String?, after: String?, isRecorded: Bool
    ) async throws {
        let entries = [
            before.map { "\"for\": \"\($0)\"" }, isRecorded ? #""recorded": {"at": "2020-01-01T00:00:00Z"}"# : nil,
        ]
        let settings = "{\(entries.compactMap { $0 }.joined(separator: ", "))}"
        let studio = try Self.studio(["jobs.json": "[0]", "jobs.mock.json": settings])
        for _ in 1...2 { _ = try await studio.client.data(for: API.jobs(id: 7)) }
        let found = try (studio.requests()["jobs"], studio.settings(of: "jobs")["recorded"]?["at"], studio.bodies())
        #expect(found == (after, "2023-11-14T22:13:20Z", ["jobs.json": "[1]"]))
    }

    /// The cursors of a server are others in each recording. Each with the request before, and that after.
    @Test(
        arguments: [
            ("GET /jobs/{any}?after=old", "GET /jobs/{any}?size=2&after=new"), (nil, nil),
            ("GET /{a}/7?after=new&size=2", "GET /{a}/7?after=new&size=2"),
            ("GET /jobs/7?size=2", "GET /jobs/7?size=2"),
        ] as [(String?, String?)])
    func `Recorded pages are for the query that they have now`(before: String?, after: String?) async throws {
        let entry = before.map { "\"for\": \"\($0)\", " } ?? ""
        let settings = #"{\#(entry)"recorded": {"at": "2020-01-01T00:00:00Z"}}"#
        let studio = try RecorderFixture(["Mocks/jobs.page2.json": "[0]", "Mocks/jobs.page2.mock.json": settings]) {
            let link: KeyValuePairs = $0.target.contains("after") ? [:] : ["Link": "<?size=2&after=new>; rel=next"]
            $1.respond(200, headers: link, body: "[1]")
        }
        _ = try await studio.client.pages(API.jobs(id: 7), as: [Int].self).all()
        let found = try (studio.settings(of: "jobs.page2")["for"], studio.bodies()["jobs.page2.json"])
        #expect(found == (after.map { JSONValue.string($0) }, "[1]"))
    }

    @Test func `An absolute URL does not look for the recording of a renamed case`() async throws {
        let settings = #"{"for": "PUT /up/{id}", "recorded": {"at": "2020-01-01T00:00:00Z", "by": "App.API/chunk"}}"#
        let folder = try TemporaryFolder(["Mocks/chunk.json": "[1]", "Mocks/chunk.mock.json": settings])
        let route = Renamed.upload(try #require(URL(string: "https://h.example/v1/up/1")))
        let audit = try MockAudit(options: .init(routes: [route], folder: folder["Mocks"]))
        let client = try APIClient {
            $0.environment = try .testing()
            $0.mocks = folder["Mocks"]
        }
        let error = try await failure { try await client.data(for: route) }
        let text = "\(audit.findings)"
        let found = (
            text.contains("the mock \"upload\" for"), error.message.contains("no mock \"upload\""),
            "\(text) \(error)".contains("rename")
        )
        #expect(found == (true, true, false), "\(text) \(error)")
    }
}
