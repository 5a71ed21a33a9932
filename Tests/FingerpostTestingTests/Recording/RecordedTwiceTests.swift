import FingerpostStreams

@testable import FingerpostTesting

/// What one run records more than once, and bodies whose type does not tell what they are.
@Suite(.inTurn) struct RecordedTwiceTests {
    enum ShopA: Routable {
        case items
        var path: RoutePath { "items" }
    }
    enum ShopB: Routable {
        case items
        var path: RoutePath { "items" }
    }

    @Test func `The same path of another server does not replace a recording of this run`() async throws {
        let studio = try RecorderFixture(answer: "[1]")
        let other = try LoopbackServer { _, connection in connection.respond(body: "[2]") }
        _ = try await studio.client.data(for: ShopA.items)
        let second = try APIClient {
            $0.environment = try Environment("Live", values: ["baseURL": Parameters.Value("\(other.baseURL)")])
            $0.middleware = [studio.recorder]
        }
        _ = try await second.data(for: ShopB.items)
        #expect(try studio.bodies() == ["items.json": "[1]"])
        let line = studio.lines().last ?? ""
        #expect(line.contains("ShopA/items), which this run has recorded, and ShopB.items is at another server; make"))
        #expect(line.hasSuffix("or set `mock` in one of the two routes"))
    }

    @Test func `A route that answers differently within one test is reported`() async throws {
        let studio = try RecorderFixture(answers: [(200, "application/json", "[1]"), (200, "application/json", "[2]")])
        for _ in 0..<2 { _ = try await studio.client.data(for: RecorderFixture.API.page) }
        #expect(studio.lines().contains { $0.hasPrefix("but Mocks/page.json is only the last of several answers") })
        let equal = try RecorderFixture(answer: "[1]")
        for _ in 0..<2 { _ = try await equal.client.data(for: RecorderFixture.API.page) }
        #expect(!equal.lines().contains { $0.hasPrefix("but") })
    }

    @Test(arguments: [
        "application/x-jsonl", "application/jsonlines", "application/x-jsonlines", "application/json-lines",
        "application/octet-stream", "application/fhir+ndjson", "application/x+jsonl",
    ])
    func `Lines of JSON are recorded as lines`(_ type: String) async throws {
        let body = "{\"a\": 1}\n{\"a\": 2, \"token\": \"tok-12345\"}\n"
        let studio = try RecorderFixture(answer: body, ["Content-Type": type])
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        #expect(try studio.bodies() == ["page.ndjson": body.replacing("tok-12345", with: "<redacted>")])
        struct Line: Decodable, Sendable { let a: Int }
        var route = Route.get("page").mock("page")
        route.responseType = Line.self
        #expect(try studio.findings(route, skipping: [.unreadKeys]) == [])
    }

    @Test func `The end of a recorded stream passes the audit`() async throws {
        let body = "data: {\"a\": 1}\n\ndata: [DONE]\n\n"
        let studio = try RecorderFixture(answer: body, ["Content-Type": "text/event-stream"])
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        var route = Route.get("page").mock("page")
        route.responseType = JSONValue.self
        #expect(try (studio.bodies(), studio.findings(route)) == (["page.events": body], []))
    }

    @Test func `A header with the text of a placeholder is replayed as it came`() async throws {
        let tag = #""{env.baseURL}{env.x}""#
        let studio = try RecorderFixture(answer: "{}", ["ETag": tag])
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        #expect(try studio.files()["page.mock.json"]?.contains("{env.{}baseURL}{env.{}x}") == true)
        let replayed = try await studio.replay().response(for: RecorderFixture.API.page, as: Data.self)
        #expect(replayed.headers[.etag] == tag)
        #expect(try studio.findings(Route.get("page").mock("page"), skipping: [.untyped]) == [])
    }

    @Test(arguments: [("audio/mpeg", "mp3"), ("text/calendar", "ics"), ("image/avif", "avif"), ("text/xml", "xml")])
    func `Common types have their extension`(_ type: String, _ end: String) async throws {
        let studio = try RecorderFixture(answer: "abc", ["Content-Type": type])
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        #expect(try Array(studio.bodies().keys) == ["page.\(end)"])
    }
}
