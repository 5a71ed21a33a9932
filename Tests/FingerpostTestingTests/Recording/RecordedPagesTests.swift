import FingerpostStreams

@testable import FingerpostTesting

/// The pages of a list as variants of its mock.
@Suite(.inTurn) struct RecordedPagesTests {
    private enum API: Routable {
        case jobs(q: String)
        case search

        var method: HTTPMethod { if case .search = self { .post } else { .get } }
        var path: RoutePath { if case .search = self { "search" } else { "jobs" } }
        var parameters: Parameters? { if case .jobs(let q) = self { ["q": q] } else { nil } }
        var responseType: (any (Decodable & Sendable).Type)? { [Int].self }
    }

    /// A server whose pages name the next one in the header `Link`.
    private static func studio(pages count: Int) throws -> RecorderFixture {
        try RecorderFixture { request, connection in
            let number = request.target.firstMatch(of: /page=([0-9]+)/).flatMap { Int($0.1) } ?? 1
            let next = "<http://\(request["Host"] ?? "")/jobs?q=a%7Bb&page=\(number + 1)>; rel=\"next\""
            let link: KeyValuePairs = number < count ? ["Link": next] : ["X-Last": "1"]
            connection.respond(200, headers: link, body: "[\(number)]")
        }
    }

    @Test func `Each page that a link leads to is a variant, and the mocks have the same pages`() async throws {
        let studio = try Self.studio(pages: 3)
        // Pages that are recorded again keep their variants.
        for _ in 1...2 {
            let live = try await studio.client.pages(API.jobs(q: "a{b"), as: [Int].self).all()
            #expect(live.map(\.value) == [[1], [2], [3]])
        }
        #expect(try studio.files().count == 6)
        let mocked = try await studio.replay().pages(API.jobs(q: "a{b"), as: [Int].self).all()
        let found = try (
            studio.recorder.lines.suffix(6).map { $0.prefix { $0 != " " } }, studio.bodies(),
            studio.requests()["jobs.page3"], studio.settings(of: "jobs.page3")["headers"],
            mocked.map { "\($0.value) \($0.request.url?.absoluteString ?? "")" }, studio.findings(API.jobs(q: "a{b"))
        )
        #expect(
            found == (
                Array(repeating: "unchanged", count: 6),
                ["jobs.json": "[1]", "jobs.page2.json": "[2]", "jobs.page3.json": "[3]"], "GET /jobs?q=a%7Bb&page=3",
                nil,
                [
                    "[1] https://t.invalid/api/jobs?q=a%7Bb", "[2] https://t.invalid/api/jobs?q=a%7Bb&page=2",
                    "[3] https://t.invalid/api/jobs?q=a%7Bb&page=3",
                ], []
            ), "\(studio.recorder.lines)")
    }

    @Test func `Pages with numbers and cursors are told by their own item of the query`() async throws {
        let studio = try Self.studio(pages: 9)
        for paging in [Paging<[Int]>.number("page") { $0 == [2] }, .cursor("page") { $0 == [1] ? 3 : nil }] {
            _ = try await studio.client.pages(API.jobs(q: "x"), as: [Int].self, by: paging).all()
        }
        let found = try (studio.requests(), studio.bodies()["jobs.json"])
        #expect(
            found == (["jobs": "GET /jobs", "jobs.page2": "GET /jobs?page=2", "jobs.page3": "GET /jobs?page=3"], "[1]"))
    }

    @Test func `A page that the query does not tell is not written, and the first page stays`() async throws {
        let studio = try Self.studio(pages: 1)
        let route = API.search.route.parameters(["text": "x"])
        _ = try await studio.client.pages(route, as: [Int].self, by: .number("page") { _ in false }, maximum: 2)
            .first { _ in true }
        let before = try studio.files()
        let pages = studio.client.pages(route, as: [Int].self, by: .number("page") { _ in false })
        var count = 0
        for try await _ in pages {
            count += 1
            if count == 2 { break }
        }
        let found = try (Set(studio.files().keys), studio.recorder.lines.last)
        #expect(
            found == (
                Set(before.keys),
                "not written: the answer to POST /search: it is a later page of a list, and nothing in its query but "
                    + "secrets tells it from the first page"
            ))
    }

    /// A secret of the environment is in the query of each page.
    @Test func `A secret is not part of a page's query`() async throws {
        let studio = try Self.studio(pages: 9)
        let route = API.jobs(q: "987654")
        let pages = studio.client.pages(route, as: [Int].self)
        let next = try await pages.page(after: try await pages.page())
        let files = try studio.files()
        let cursor = studio.client.pages(
            Route.get("jobs").mock("jobs"), as: [Int].self, by: .cursor("q") { _ in "987654" })
        _ = try await cursor.page(after: try await cursor.page())
        let found = try (
            next?.value, studio.requests()["jobs.page2"], Set(studio.files().keys),
            studio.recorder.lines.last?.contains("nothing in its query but secrets")
        )
        #expect(found == ([2], "GET /jobs?q=a%7Bb&page=2", Set(files.keys), true))
    }

    private static let list = #"{"headers": {"Link": "<{env.baseURL}/jobs?page=2#a>; rel=next"}}"#

    /// The files of the later pages, and what the audit finds.
    private static let pages = WrittenCase.table(
        #"""
        A page without settings

        A page without a link
        Mocks/jobs.page2.mock.json = {"for": "GET /jobs?page=2", "headers": {"Link": ""}}

        A page that leads to itself
        Mocks/jobs.page2.mock.json = {"for": "GET /jobs?page=2", "headers": {"Link": "<?page=2>; rel=next"}}

        A cycle of pages
        Mocks/jobs.page2.mock.json = {"for": "GET /jobs?page=2", "headers": {"Link": "<?page=3>; rel=\"next\""}}
        Mocks/jobs.page3.json = [3]
        Mocks/jobs.page3.mock.json = {"for": "GET /jobs?page=3", "headers": {"Link": "<?page=2>; rel=\"next\""}}
        invalidFile jobs.page3.mock.json:1: error: the link to the next page, ?page=2, leads back to the variant "page2" of the mock "jobs". Fix: correct the link, or remove it

        A page that is missing
        Mocks/jobs.page2.mock.json = {"for": "GET /jobs?page=2", "headers": {"Link": "<?page=3>; rel=\"next\""}}
        missing jobs.page2.mock.json:1: error: the link to the next page, ?page=3, leads to no variant of the mock "jobs", so its default answer would come again. Fix: record the pages again to their end, or remove this link

        A malformed link
        Mocks/jobs.page2.mock.json = {"for": "GET /jobs?page=2", "headers": {"Link": "page 3"}}
        invalidFile jobs.page2.mock.json:1: error: the header Link is malformed. Fix: write <address>; rel="next"

        A page that none leads to
        Mocks/jobs.page2.mock.json = {"for": "GET /jobs?page=2", "headers": {"Link": ""}}
        Mocks/jobs.page3.json = [3]
        Mocks/jobs.page3.mock.json = {"for": "GET /jobs?page=3", "recorded": {"at": "2026-01-01T00:00:00Z"}}
        orphan jobs.page3.mock.json: warning: no page of the mock "jobs" leads to this page. Fix: remove it, or record the pages again
        """#)

    @Test(arguments: pages) func `The audit follows the links between pages to their end`(_ test: WrittenCase) throws {
        let folder = try TemporaryFolder(
            test.files.merging([
                "Mocks/jobs.json": "[1]", "Mocks/jobs.mock.json": Self.list, "Mocks/jobs.page2.json": "[2]",
            ]) { $1 })
        let audit = try MockAudit(options: .init(routes: [API.jobs(q: "")], folder: folder["Mocks"]))
        let found = audit.findings.map { folder.relative("\($0.kind.rawValue) \($0)").replacing("Mocks/", with: "") }
        #expect(found == test.expected)
    }
}
