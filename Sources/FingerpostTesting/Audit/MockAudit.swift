public import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
public import Foundation
public import Testing

/// Checks the mocks in a folder against the routes whose calls the mocks answer. A single line in a test runs this
/// check.
///
/// ```swift
/// @Test func `Mocks fit the routes`() throws {
///     try MockAudit.run(GitHub.samples)
/// }
/// ```
///
/// The audit finds:
///
/// - missing mocks, and files that no route names
/// - bodies that do not decode as the route's `responseType`
/// - body keys that no model reads, and model keys that no body contains
/// - invalid settings, and settings whose `for` entry does not match the route's request
/// - pages whose links lead to a page that does not exist, or back to one that was there before
/// - expired recordings
/// - credentials
///
/// The response type of a stream is that of its elements: the data of each event in a body `text/event-stream`, and
/// each line that is not empty in a body `application/x-ndjson`. Declare `String` for data that is not JSON.
///
/// Bodies are decoded with the client's decoders, wrapper and key strategies. Bodies of 4xx and 5xx answers are decoded
/// as ``Fingerpost/APIClient/Configuration/errorResponse`` if that error type is set.
///
/// ``run(_:catalogs:folder:configuration:ignoring:skipping:filePath:sourceLocation:)`` records each error, with its
/// file, line and fix, as an issue in the test. Warnings are also recorded, but do not fail the test. Use the
/// initializer to get ``findings`` and ``report`` without recording issues. To compare the mocks with a server, use
/// ``MockDrift``.
///
/// Models that read little of what servers send make many warnings about unread keys. `skipping:` leaves out a kind of
/// finding, and `ignoring:` all findings of some mocks:
///
/// ```swift
/// try MockAudit.run(GitHub.self, skipping: [.unreadKeys])
/// ```
///
/// If several routers have mocks in the same folder, audit all of them in one call:
/// ``run(_:client:folder:ignoring:skipping:filePath:sourceLocation:)``. The mocks of a route that
/// you leave out are reported as orphans: files that no route names.
public struct MockAudit: Sendable {
    /// All findings: errors before warnings, each group sorted by file and line.
    public let findings: [MockFinding]
    /// A plain-text report: a line with the numbers of errors and warnings, followed by a table of the findings.
    /// A body `[]` or `{}` that is a mock's default answer is no problem, but checks no key of its model: the last line
    /// lists these bodies as information.
    public let report: String
    private let information: String?

    /// Audits a folder without recording issues.
    ///
    /// - Parameters:
    ///   - routes: one value for each endpoint, from any number of routers: `GitHub.samples + Status.samples`.
    ///   - catalogs: catalogs of endpoints. Only the endpoints' mock names, methods and paths are checked, because
    ///     catalogs declare no response types.
    ///   - folder: the mocks folder. Default: the folder that the configuration names; else `Mocks/` beside the calling
    ///     file or in a folder above that file, up to the package root; else the folder that the client finds.
    ///   - configuration: the configuration of the client whose calls the mocks answer.
    ///   - ignored: names of mocks whose findings are left out, with those of their variants.
    ///   - skipped: kinds of findings that are left out.
    /// - Throws: an error if the folder does not exist or cannot be read.
    public init(
        _ routes: [any RouteConvertible], catalogs: [EndpointCatalog] = [], folder: URL? = nil,
        configuration: APIClient.Configuration = .init(), ignoring ignored: Set<String> = [],
        skipping skipped: Set<MockFinding.Kind> = [], filePath: String = #filePath
    ) throws {
        try self.init(
            routes, catalogs, folder, configuration, hasClient: false, ignored, skipped, filePath: filePath)
    }

    private init(
        _ routes: [any RouteConvertible], _ catalogs: [EndpointCatalog], _ folder: URL?,
        _ configuration: APIClient.Configuration, hasClient: Bool, _ ignored: Set<String>,
        _ skipped: Set<MockFinding.Kind>, filePath: String
    ) throws {
        let url = try folder ?? configuration.mocks ?? MockFolder.url(near: filePath)
        var run = AuditRun(folder: try MockFolder(url: url), configuration: configuration, hasClient: hasClient)
        run.look(at: routes, catalogs)
        let ignored = Set(ignored.map(ByteName.init))
        var seen: Set<ByteName> = []
        let found = run.findings.filter { finding in
            !skipped.contains(finding.kind) && !(finding.mock.map { Self.isIgnored($0, ignored) } ?? false)
                && seen.insert(ByteName("\(finding.kind) \(finding)")).inserted
        }
        findings = found.sorted(by: MockFinding.isBefore)
        let errors = findings.count(where: \.isError)
        information = run.information.map { "\(FilePath.display(url)): info: \($0)" }
        let table = MockFinding.table(
            findings,
            heading: "\(FilePath.display(url)): errors: \(errors), warnings: \(findings.count - errors), \(run.summary)"
        )
        report = [table, information.map { "  \($0)" }].compactMap { $0 }.joined(separator: "\n")
    }

    /// Audits a folder and records the findings as issues in the running test.
    ///
    /// The parameters are the same as for ``init(_:catalogs:folder:configuration:ignoring:skipping:filePath:)``.
    ///
    /// - Throws: an error if the folder does not exist or cannot be read.
    @discardableResult
    public static func run(
        _ routes: [any RouteConvertible], catalogs: [EndpointCatalog] = [], folder: URL? = nil,
        configuration: APIClient.Configuration = .init(), ignoring ignored: Set<String> = [],
        skipping skipped: Set<MockFinding.Kind> = [], filePath: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MockAudit {
        let audit = try MockAudit(
            routes, catalogs, folder, configuration, hasClient: false, ignored, skipped, filePath: filePath)
        return audit.recorded(at: sourceLocation)
    }

    private func recorded(at sourceLocation: SourceLocation) -> MockAudit {
        MockFinding.record(findings, at: sourceLocation)
        if let information { print(information) }
        return self
    }

    /// True for an ignored mock, and for a variant of one: no route names the mock, so its variants have names like mocks.
    private static func isIgnored(_ mock: String, _ ignored: Set<ByteName>) -> Bool {
        ignored.contains { mock.isSame(as: $0.text) || mock.begins(with: $0.text + ".") }
    }

    /// Audits the mocks of a router's samples: `try MockAudit.run(GitHub.self)`.
    ///
    /// Use this method for a folder whose mocks belong to a single router. The other parameters are the same as for
    /// ``init(_:catalogs:folder:configuration:ignoring:skipping:filePath:)``.
    ///
    /// - Parameters:
    ///   - router: the router whose samples are audited.
    ///   - client: the client whose calls the mocks answer, if it has a wrapper or decoders of its own; nil for one with
    ///     the default configuration.
    @discardableResult
    public static func run<Router: SampledRoutes>(
        _ router: Router.Type, client: APIClient? = nil, folder: URL? = nil,
        ignoring ignored: Set<String> = [], skipping skipped: Set<MockFinding.Kind> = [],
        filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MockAudit {
        try run(
            [router], client: client, folder: folder, ignoring: ignored, skipping: skipped, filePath: filePath,
            sourceLocation: sourceLocation)
    }

    /// Audits the mocks of several routers, as a client reads them:
    ///
    /// ```swift
    /// try MockAudit.run([GitHub.self, Search.self], client: client)
    /// ```
    ///
    /// Use this method for a folder that several routers share: no mock of one router is an orphan for the others. The
    /// other parameters are the same as for ``init(_:catalogs:folder:configuration:ignoring:skipping:filePath:)``.
    ///
    /// - Parameters:
    ///   - routers: all routers whose mocks are in the folder.
    ///   - client: the client whose calls the mocks answer; nil for one with the default configuration.
    @discardableResult
    public static func run(
        _ routers: [any SampledRoutes.Type], client: APIClient? = nil, folder: URL? = nil,
        ignoring ignored: Set<String> = [], skipping skipped: Set<MockFinding.Kind> = [],
        filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MockAudit {
        let audit = try MockAudit(
            routers.flatMap { $0.anySamples }, [], folder, client?.configuration ?? .init(), hasClient: client != nil,
            ignored, skipped, filePath: filePath)
        return audit.recorded(at: sourceLocation)
    }

    /// Audits the mocks of a catalog's endpoints: `try MockAudit.run(EndpointCatalog(named: "github"))`.
    ///
    /// Use this method for a folder whose mocks belong to a single catalog. The parameters are the same as for
    /// ``init(_:catalogs:folder:configuration:ignoring:skipping:filePath:)``.
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
