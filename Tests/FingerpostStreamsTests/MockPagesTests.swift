import CallSupport
import FingerpostStreams
import FingerpostTesting

/// Variants that answer the requests with a query.
@Suite(.inTurn) struct MockPagesTests {
    /// A mock of jobs, and settings of it, each for a query.
    private static let files = [
        "Mocks/jobs.json": "[1]", "Mocks/jobs.page2.json": "[2]", "Mocks/jobs.page3.json": "[3]",
        "Mocks/jobs.sorted.json": "[4]", "Mocks/jobs.empty.json": "[]",
        "Mocks/jobs.mock.json": #"{"headers": {"Link": "<{env.baseURL}/jobs?page=2>; rel=\"next\""}}"#,
        "Mocks/jobs.page2.mock.json":
            #"{"for": "GET /jobs?page=2", "headers": {"Link": "<{env.baseURL}/jobs?page=3&sort=a%20b>; rel=\"next\""}}"#,
        "Mocks/jobs.page3.mock.json": #"{"for": "GET /jobs?sort=a+b&page=3", "headers": {"Link": ""}}"#,
        "Mocks/jobs.sorted.mock.json": #"{"for": "GET /jobs?sort=a%20b&%70age=3", "headers": {"Link": ""}}"#,
    ]

    private func run(
        _ files: [String: String] = files, _ variants: [MockName: String] = [:],
        _ work: (APIClient) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder(files)
        let scope = try APIScope(
            environment: .testing(), mocks: folder["Mocks"], variants: variants, clock: VirtualClock())
        try await scope.run { try await work(try APIClient()) }
    }

    private static let jobs = Route.get("jobs").mock("jobs")

    @Test func `A loop over pages gets the variant of each page`() async throws {
        try await run { client in
            let pages = try await client.pages(Self.jobs, as: [Int].self).all()
            #expect(pages.map(\.value) == [[1], [2], [4]])
        }
    }

    @Test func `A variant that the test chose comes first, and other queries get the default answer`() async throws {
        try await run(Self.files, ["jobs": "empty"]) { client in
            let chosen = try await client.send(Self.jobs.query("page", 2), as: [Int].self)
            #expect(chosen.isEmpty)
        }
        try await run { client in
            let queries: KeyValuePairs = ["page=22": 1, "page=3": 1, "x=page%3D2": 1, "a=1&page=2": 2]
            for (query, number) in queries {
                let values: [Int] = try await client.send(Route.get("jobs?\(raw: query)").mock("jobs"))
                #expect(values == [number], "\(query)")
            }
        }
    }

    @Test func `Of several variants that fit, the one with the most items answers`() async throws {
        let queries = ["page=2", "page=2&sort=x", "size=5&page=2&sort=x"]
        var files = ["Mocks/jobs.json": "[3]"]
        for (index, query) in queries.enumerated() {
            files["Mocks/jobs.\(index).json"] = "[\(index)]"
            files["Mocks/jobs.\(index).mock.json"] = #"{"for": "GET /jobs?\#(query)"}"#
        }
        try await run(files) { client in
            for (index, query) in (queries + ["sort=x&size=5"]).enumerated() {
                let route = Route.get("jobs?a=1&\(raw: query)").mock("jobs")
                let values: [Int] = try await client.send(route)
                #expect(values == [index], "\(query)")
            }
        }
    }

    @Test func `A query of the default answer is checked, and its variants do not take its place`() async throws {
        let files = [
            "Mocks/jobs.json": "[1]", "Mocks/jobs.mock.json": #"{"for": "GET /jobs?page=1"}"#,
            "Mocks/jobs.empty.json": "[]",
        ]
        try await run(files) { client in
            let values: [Int] = try await client.send(Self.jobs.query("page", 1))
            let error = try await failure { try await client.data(for: Self.jobs) }
            let other = try await failure {
                try await client.data(for: Self.jobs.query("page", 2).query("token", "s3cret"))
            }
            let reason = "jobs.mock.json is for GET /jobs?page=1, but the route is GET jobs"
            #expect(
                (values, [error, other].map { $0.message.components(separatedBy: "/Mocks/").last })
                    == ([1], [reason, "\(reason)?page=2&token=<redacted>"]))
            #expect(error.kind == .mock && !"\(other)".contains("s3cret"))
            _ = Mocks.takeProblems()
        }
    }
}
