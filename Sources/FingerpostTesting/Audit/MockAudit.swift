public import Fingerpost
public import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
public import Foundation
public import Testing

/// Checks that each mock in a folder matches the routes whose calls the mock answers. One line in a test runs the
/// audit.
///
/// ```swift
/// @Test func `Mocks fit the routes`() throws {
///     try MockAudit.run(GitHub.self)
/// }
/// ```
///
/// The audit finds:
///
/// - missing mocks, and files that no route names
/// - bodies that do not decode as the route's `responseType`
/// - body keys that no model reads, and model keys that no body contains
/// - invalid settings, and settings whose `for` entry does not match the route's request
/// - pages with a link to a missing page, or back to an earlier page
/// - expired recordings
/// - credentials in the files
///
/// For a stream, the route's `responseType` is the type of one element. In a `text/event-stream` body, the elements are
/// the data of the events. In an `application/x-ndjson` body, the elements are the lines that are not empty. If the
/// events' data is not JSON, declare `String` as the `responseType`.
///
/// Bodies are decoded with the client's decoders, wrapper and key strategies. Bodies of responses with a status 4xx or
/// 5xx are decoded as ``/Fingerpost/ClientConfiguration/errorResponse`` if that error type is set.
///
/// ``run(_:client:options:filePath:sourceLocation:)`` records each error, with its file, line and fix, as an issue in
/// the test. Warnings are also recorded, but do not fail the test. In a run that records mocks, the method prints the
/// findings and records no issues. To get the ``findings`` without issues, use the initializer. To compare the
/// mocks with a server, use ``MockDrift``.
///
/// If models read only a few of the keys in a body, the audit reports many unread keys as warnings. With ``Options``,
/// you can leave out a kind of finding, or all findings of some mocks:
///
/// ```swift
/// try MockAudit.run(GitHub.self, options: .init(skipping: [.unreadKeys]))
/// ```
///
/// If several routers have mocks in the same folder, audit all of them in one call. If you leave out a router, the
/// audit reports its mocks as orphans: files that no route names. If the routers have different clients, pass each
/// router together with its client:
///
/// ```swift
/// try MockAudit.run([.init(GitHub.self, client: api), .init(Login.self, client: login)])
/// ```
public struct MockAudit: Sendable {
    /// What an audit checks in addition to the routers' samples, and what the audit leaves out.
    public struct Options: Sendable {
        let routes: [any RouteConvertible]
        let catalogs: [any EndpointList]
        let folder: URL?
        let ignoring: Set<String>
        let skipping: Set<MockFinding.Kind>
        let answersSessions: Bool
        let configuration: APIClient.Configuration

        /// Creates options. By default, nothing is added and nothing is left out.
        ///
        /// - Parameters:
        ///   - routes: routes to audit in addition to the routers' samples. List one route for each endpoint.
        ///   - catalogs: catalogs of endpoints, such as an `EndpointCatalog`. Only the endpoints' mock names, methods
        ///     and paths are checked, because catalogs declare no response types.
        ///   - folder: the mocks folder. Default: the folder that the client's configuration names. If the
        ///     configuration names no folder, the default is `Mocks/` beside the calling file or in a folder above that
        ///     file, up to the package root. If no such folder exists, the default is the folder that the client finds.
        ///   - ignoring: names of mocks. Findings about these mocks and about their variants are left out.
        ///   - skipping: kinds of findings that are left out.
        ///   - answersSessions: true if the folder also has mocks for sessions of other clients (see
        ///     ``/FingerpostMocks/Mocks``). In that case, a mock with a `for` entry is not reported as an orphan, even
        ///     if no route names the mock.
        ///   - configuration: the client configuration that an audit without a client uses. In an audit of routers with
        ///     different clients, `routes` use this configuration.
        public init(
            routes: [any RouteConvertible] = [], catalogs: [any EndpointList] = [], folder: URL? = nil,
            ignoring: Set<String> = [], skipping: Set<MockFinding.Kind> = [], answersSessions: Bool = false,
            configuration: APIClient.Configuration = .init()
        ) {
            self.routes = routes
            self.catalogs = catalogs
            self.folder = folder
            self.ignoring = ignoring
            self.skipping = skipping
            self.answersSessions = answersSessions
            self.configuration = configuration
        }
    }

    /// All findings: errors before warnings, each group sorted by file and line.
    public let findings: [MockFinding]

    /// Audits a folder without recording issues.
    ///
    /// The parameters are the same as for ``run(_:client:options:filePath:sourceLocation:)``.
    ///
    /// - Throws: an error if the folder does not exist or cannot be read.
    public init(
        _ routers: any SampledRoutes.Type..., client: APIClient? = nil, options: Options = Options(),
        filePath: String = #filePath
    ) throws {
        try self.init(of: routers.map { ($0, client) }, client, options, filePath: filePath)
    }

    /// Audits a folder without recording issues, for routers with different clients.
    ///
    /// The parameters are the same as for ``run(_:options:filePath:sourceLocation:)``.
    ///
    /// - Throws: an error if the folder does not exist or cannot be read, or if the clients name different folders.
    public init(
        _ routers: [AuditedRouter], options: Options = Options(), filePath: String = #filePath
    ) throws {
        try self.init(of: routers.map { ($0.router, $0.client) }, nil, options, filePath: filePath)
    }

    /// Audits a folder and records the findings as issues in the running test.
    ///
    /// ```swift
    /// try MockAudit.run(GitHub.self, Search.self, client: client)
    /// ```
    ///
    /// - Parameters:
    ///   - routers: the routers whose samples are audited. Pass all routers with mocks in the folder: the mocks of a
    ///     router that you leave out are reported as orphans.
    ///   - client: the client whose calls the mocks answer. Pass a client if it has its own wrapper, coders or dialect.
    ///     If this argument is nil, the audit uses the configuration in `options`.
    ///   - options: what to check in addition, and what to leave out.
    ///   - filePath: the path of the calling file, near which the mocks folder is.
    ///   - sourceLocation: the place at which the issues are recorded.
    /// - Throws: an error if the folder does not exist or cannot be read.
    @discardableResult
    public static func run(
        _ routers: any SampledRoutes.Type..., client: APIClient? = nil, options: Options = Options(),
        filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MockAudit {
        let audit = try MockAudit(of: routers.map { ($0, client) }, client, options, filePath: filePath)
        audit.report(in: try MockMode.current(), at: sourceLocation)
        return audit
    }

    /// Audits a folder with the mocks of several routers, each with its own client, and records the findings as issues
    /// in the running test. A file is an orphan if it belongs to none of these routers.
    ///
    /// ```swift
    /// try MockAudit.run([.init(GitHub.self, client: api), .init(Login.self, client: login)])
    /// ```
    ///
    /// - Parameters:
    ///   - routers: all routers whose mocks are in the folder, each with its client.
    ///   - options: what to check in addition, and what to leave out.
    ///   - filePath: the path of the calling file, near which the mocks folder is.
    ///   - sourceLocation: the place at which the issues are recorded.
    /// - Throws: an error if the folder does not exist or cannot be read, or if the clients name different folders.
    @discardableResult
    public static func run(
        _ routers: [AuditedRouter], options: Options = Options(), filePath: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MockAudit {
        let audit = try MockAudit(routers, options: options, filePath: filePath)
        audit.report(in: try MockMode.current(), at: sourceLocation)
        return audit
    }

    /// Records the findings as issues. In a run that records mocks, other tests write mocks at the same time. In such a
    /// run, this method therefore prints the findings and records no issues.
    func report(in mode: MockMode, at sourceLocation: SourceLocation) {
        guard case .record = mode else { return MockFinding.record(findings, at: sourceLocation) }
        for finding in findings { print(finding) }
    }

    /// - Parameters:
    ///   - routers: the routers with their clients. If a router's client is nil, `client` sends its routes.
    ///   - client: the client that sends the routes in the options. If this argument is nil, a client with the options'
    ///     configuration sends these routes.
    private init(
        of routers: [(router: any SampledRoutes.Type, client: APIClient?)], _ client: APIClient?, _ options: Options,
        filePath: String
    ) throws {
        let configurations = (routers.map(\.client) + [client]).map { $0?.configuration ?? options.configuration }
        let folders = configurations.compactMap(\.mocks)
        let url = try options.folder ?? folders.first ?? MockIndex.url(near: filePath)
        let place = url.resolvingSymlinksInPath().path
        if options.folder == nil, let other = folders.first(where: { $0.resolvingSymlinksInPath().path != place }) {
            throw FileProblem(
                path: FilePath.display(other),
                message: "the clients have different folders of mocks; that of another is \(FilePath.display(url))",
                fix: "audit each folder with its own routers, or name one with options: .init(folder: …)")
        }
        var run = try AuditRun(folder: MockIndex(url: url))
        run.answersSessions = options.answersSessions
        // Without a base URL, the client would load an environment, and the process may have no environment.
        let usual = client ?? APIClient(baseURL: url, options.configuration)
        let samples = routers.flatMap { router in
            router.router.anySamples.map { AuditRun.Sample($0, router.client, or: usual) }
        }
        let routes = options.routes.map { AuditRun.Sample($0, client, or: usual) }
        run.look(at: samples + routes, options.catalogs)
        var seen: Set<ByteName> = []
        let found = run.findings.filter { finding in
            !options.skipping.contains(finding.kind) && !MockFinding.isIgnored(finding.mock, options.ignoring)
                && seen.insert(ByteName("\(finding.kind) \(finding)")).inserted
        }
        findings = found.sorted(by: MockFinding.isBefore)
    }
}
