public import Fingerpost
import FingerpostFiles
public import Foundation
public import Testing

/// Checks a folder of mocks against the routes that they answer: one line of a test.
///
/// ```swift
/// @Test func `Mocks fit the routes`() throws {
///     try MockAudit.run(GitHub.samples)
/// }
/// ```
///
/// It finds mocks that are not there, files that no route names, bodies that do not decode as the route's `responseType`, keys that
/// no model reads or no body has, wrong settings, `for` that is another request, recordings that are too old, and credentials. Bodies are
/// decoded as the client would: with its decoders, its wrapper and its strategies. Those of 4xx and 5xx are decoded as
/// ``Fingerpost/APIClient/Configuration/errorResponse`` where there is one.
///
/// What is wrong becomes an issue of the test, each with its file, line and fix; what only may be wrong becomes a warning. Create a
/// value instead to have ``findings`` and ``report`` without a test. To compare the mocks with a server use ``MockDrift``.
///
/// All routes whose mocks share a folder belong in one audit, or else some files would seem to be nobody's.
public struct MockAudit: Sendable {
    /// What was found: errors before warnings, each in the order of files and lines.
    public let findings: [MockFinding]
    /// Everything as a table for people.
    public let report: String

    /// Looks at a folder.
    ///
    /// - Parameters:
    ///   - routes: a value for each endpoint, of any routers: `GitHub.samples + Status.samples`.
    ///   - catalogs: endpoints from files, of which the names of their mocks and their paths are checked.
    ///   - folder: the folder of the mocks; by default the configuration's, or `Mocks/` beside the calling file or above it, up to the
    ///     package's own folder, or else where the client looks.
    ///   - configuration: that of the client.
    ///   - ignored: names of mocks of which nothing is told.
    ///   - skipped: kinds of findings that are not looked for.
    /// - Throws: when the folder is not there or cannot be read.
    public init(
        _ routes: [any RouteConvertible], catalogs: [EndpointCatalog] = [], folder: URL? = nil,
        configuration: APIClient.Configuration = .init(), ignoring ignored: Set<String> = [],
        skipping skipped: Set<MockFinding.Kind> = [], filePath: String = #filePath
    ) throws {
        let url = try folder ?? configuration.mocks ?? MockFolder.url(near: filePath)
        var run = AuditRun(folder: try MockFolder(url: url), configuration: configuration)
        run.look(at: routes, catalogs)
        let ignored = Set(ignored.map(ByteName.init))
        var seen: Set<ByteName> = []
        let found = run.findings.filter { finding in
            !skipped.contains(finding.kind) && !(finding.mock.map { ignored.contains(ByteName($0)) } ?? false)
                && seen.insert(ByteName("\(finding.kind) \(finding)")).inserted
        }
        findings = found.sorted(by: MockFinding.isBefore)
        let errors = findings.count(where: \.isError)
        report = MockFinding.table(
            findings,
            heading: "\(FilePath.display(url)): errors: \(errors), warnings: \(findings.count - errors), \(run.summary)"
        )
    }

    /// Looks at a folder, and records what it finds as issues of the running test.
    ///
    /// - Parameters: as those of ``init(_:catalogs:folder:configuration:ignoring:skipping:filePath:)``.
    @discardableResult
    public static func run(
        _ routes: [any RouteConvertible], catalogs: [EndpointCatalog] = [], folder: URL? = nil,
        configuration: APIClient.Configuration = .init(), ignoring ignored: Set<String> = [],
        skipping skipped: Set<MockFinding.Kind> = [], filePath: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MockAudit {
        let audit = try MockAudit(
            routes, catalogs: catalogs, folder: folder, configuration: configuration, ignoring: ignored,
            skipping: skipped, filePath: filePath)
        MockFinding.record(audit.findings, at: sourceLocation)
        return audit
    }

    /// The same for all samples of a router: `try MockAudit.run(GitHub.self)`.
    @discardableResult
    public static func run<Router: SampledRoutes>(
        _ router: Router.Type, folder: URL? = nil, configuration: APIClient.Configuration = .init(),
        ignoring ignored: Set<String> = [], skipping skipped: Set<MockFinding.Kind> = [],
        filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MockAudit {
        try run(
            router.samples, folder: folder, configuration: configuration, ignoring: ignored, skipping: skipped,
            filePath: filePath, sourceLocation: sourceLocation)
    }

    /// The same for the endpoints of a catalog: `try MockAudit.run(EndpointCatalog(named: "github"))`.
    @discardableResult
    public static func run(
        _ catalog: EndpointCatalog, folder: URL? = nil, configuration: APIClient.Configuration = .init(),
        ignoring ignored: Set<String> = [], skipping skipped: Set<MockFinding.Kind> = [],
        filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MockAudit {
        try run(
            [], catalogs: [catalog], folder: folder, configuration: configuration, ignoring: ignored,
            skipping: skipped, filePath: filePath, sourceLocation: sourceLocation)
    }
}
