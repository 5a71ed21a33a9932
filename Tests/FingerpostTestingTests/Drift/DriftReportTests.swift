@testable import FingerpostTesting

@Suite(.inTurn) struct DriftReportTests {
    private static let date = Date(timeIntervalSince1970: 1_767_225_600)

    private static func report(_ routes: [DriftReport.Read] = [], reads: Int = 2) -> DriftReport {
        var report = DriftReport(environment: "Staging", reads: reads, tests: 1, routes: routes)
        report.notCompared = ["writes": 1]
        return report
    }

    @Test func `A report names each route once`() {
        var report = Self.report([
            .init(mock: "me", route: "GET /me", recorded: Self.date, differences: [#""plan" is gone"#])
        ]
        )
        report.add(
            Self.report([
                .init(mock: "me", route: "GET /me", differences: [#""plan" is gone"#, #""tier" is new"#]),
                .init(mock: "list", route: "GET /list"),
            ]))
        #expect(
            report.text
                == #"Drift from Staging: 4 reads of 2 tests compared, 1 route differs: GET /me (recorded on 2026-01-01): "plan" is gone, "tier" is new; not compared: 2 writes"#
        )
        #expect(!report.isFailure)
        // Writes and choices are nothing to compare.
        #expect(!Self.report(reads: 0).isFailure)
        var failed = Self.report(reads: 0)
        failed.add(DriftReport(.credentials))
        #expect(failed.text.hasSuffix("1 without credentials, 1 writes. Nothing could be compared"))
    }

    @Test func `The processes of a run add to one file, which replaces that of another run`() throws {
        let folder = try TemporaryFolder(["report.json": "{ old"])
        let file = folder["report.json"]
        func written() throws -> DriftReport {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(DriftReport.self, from: Data(contentsOf: file))
        }
        try Self.report([.init(mock: "me", route: "GET /me", recorded: Self.date)]).write(to: file)
        #expect(try written() == Self.report([.init(mock: "me", route: "GET /me", recorded: Self.date)]))
        try Self.report().write(to: file)
        let both = try written()
        #expect((both.reads, both.tests, both.routes.count) == (4, 2, 1))
        var other = Self.report()
        other.run += 1
        try other.write(to: file)
        #expect(try written() == other)
    }
}
