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
        let line = studio.lines().last ?? ""
        let found = try (
            studio.bodies(),
            line.contains("ShopA/items), which this run has recorded, and ShopB.items is at another server; make"),
            line.hasSuffix("or set `mock` in one of the two routes")
        )
        #expect(found == (["items.json": "[1]"], true, true), "\(line)")
    }

    @Test func `A route that answers differently within one test is reported`() async throws {
        var warnings: [[String]] = []
        for second in ["[1]", "[2]"] {
            let answers = ["[1]", second].map { (status: 200, type: "application/json", body: $0) }
            let studio = try RecorderFixture(answers: answers)
            for _ in answers { _ = try await studio.client.data(for: RecorderFixture.API.page) }
            warnings.append(studio.lines().filter { $0.hasPrefix("but") })
        }
        let warning = """
            but Mocks/page.json is only the last of several answers that one test got. For other paths, add variants with \
            "for"; otherwise, record each answer in a test of its own, or write a "sequence"
            """
        #expect(warnings == [[], [warning]])
    }

    @Test(arguments: [
        "application/x-jsonl", "application/jsonlines", "application/x-jsonlines", "application/json-lines",
        "application/octet-stream", "application/fhir+ndjson", "application/x+jsonl",
    ])
    func `Lines of JSON are recorded as lines`(_ type: String) async throws {
        let body = "{\"a\": 1}\n{\"a\": 2, \"token\": \"tok-12345\"}\n"
        let studio = try RecorderFixture(answer: body, ["Content-Type": type])
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        struct Line: Decodable, Sendable { let a: Int }
        var route = Route.get("page").mock("page")
        route.responseType = Line.self
        let found = try (studio.bodies(), studio.findings(route, skipping: [.unreadKeys]))
        #expect(found == (["page.ndjson": body.replacing("tok-12345", with: "<redacted>")], []))
    }

    @Test func `A header with the text of a placeholder is replayed as it came`() async throws {
        let tag = #""{env.baseURL}{env.x}""#
        let studio = try RecorderFixture(answer: "{}", ["ETag": tag])
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        let replayed = try await studio.replay().response(for: RecorderFixture.API.page, as: Data.self)
        let found = try (
            studio.settings(of: "page")["headers"], replayed.headers[.etag],
            studio.findings(Route.get("page").mock("page"), skipping: [.untyped])
        )
        #expect(found == (["ETag": #""{env.{}baseURL}{env.{}x}""#], tag, []))
    }
}
