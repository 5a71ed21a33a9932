public import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
public import Foundation
public import Testing

/// Compares the mocks with a server's answers. A single line in a test runs this comparison.
///
/// ```swift
/// @Test func `Mocks look like the server's answers`() async throws {
///     try await MockDrift.run(GitHub.self)
/// }
/// ```
///
/// The comparison runs only if the process variable `MOCKS` asks for it: `MOCKS=drift:Staging swift test --filter …`
/// sends the GET and HEAD samples to the server of the environment `Staging`. Only the shapes of JSON bodies are
/// compared: ids, dates, other values and the number of list elements do not matter. A stream of events or of lines in
/// JSON is compared like the list of its elements. It has to end within the timeout: leave out one that goes on.
///
/// | Difference | Reported as |
/// |---|---|
/// | a field that only the server sends | information |
/// | a key that differs only in Unicode normalization | information |
/// | a field that only the mock contains and no model reads | information |
/// | a field that only the mock contains and the model does not require | warning |
/// | a field that only the mock contains, for a route without a response type, or with `JSONValue` | warning |
/// | a type that differs in a field that no model reads | warning |
/// | a field that only the mock contains and the model requires | error |
/// | any other type that differs | error |
/// | an answer that does not decode, or a call that fails | error |
/// | a mock that has only variants, so that there is nothing to compare with | warning |
/// | samples of which none is sent, so that nothing is compared | error |
///
/// Errors and warnings are recorded as issues in the test. Differences that are only information are not recorded as
/// issues, but are listed in the printed ``report``. The comparison changes no files; to update a mock, record it with
/// ``RecordingMiddleware``. To check mocks without a server, use ``MockAudit``.
public struct MockDrift: Sendable {
    /// What is compared besides the samples of routers, where it is, and what is left out.
    public struct Options: Sendable {
        /// Routes to send in addition to the samples of routers: one value for each endpoint.
        public var routes: [any RouteConvertible]
        /// The environments folder. Default: `Environments/` beside the mocks folder, else the folder that
        /// ``Fingerpost/Environment`` finds.
        public var environments: URL?
        /// The mocks folder. Default: the same folder as in ``MockAudit``.
        public var folder: URL?
        /// Names of mocks that are not compared, with their variants.
        public var ignoring: Set<String>
        /// The configuration of the client whose calls the mocks answer, if there is no client to pass. Its environment
        /// and base URL are not used.
        public var configuration = APIClient.Configuration()

        /// Creates options. By default, nothing is added and nothing is left out.
        public init(
            routes: [any RouteConvertible] = [], environments: URL? = nil, folder: URL? = nil,
            ignoring: Set<String> = []
        ) {
            self.routes = routes
            self.environments = environments
            self.folder = folder
            self.ignoring = ignoring
        }
    }

    /// The lines of the report. The key of each problem is the path in the body.
    let rows: [MockFinding]
    /// The errors, followed by the warnings. Differences that are only information are listed in ``report``, not here.
    public let findings: [MockFinding]
    /// The errors, warnings and information as a plain-text table, with a list of the samples that were not sent.
    public let report: String

    /// Sends the samples to an environment's server and compares the answers with the mocks, without recording issues.
    ///
    /// The other parameters are the same as for ``run(_:client:options:filePath:sourceLocation:)``.
    ///
    /// - Parameter environment: the environment's name.
    /// - Throws: an error if the environment or the folder cannot be read, or if the environment's `$network` is not
    ///   `live`.
    public init(
        _ routers: any SampledRoutes.Type..., client: APIClient? = nil, environment: String,
        options: Options = Options(), filePath: String = #filePath
    ) async throws {
        try await self.init(of: routers, client, environment, options, filePath: filePath)
    }

    /// If `MOCKS=drift:<environment>` is set, compares the mocks with that environment's server, prints the report and
    /// records the findings as issues in the running test.
    ///
    /// ```swift
    /// try await MockDrift.run(GitHub.self, Search.self, client: client)
    /// ```
    ///
    /// - Parameters:
    ///   - routers: the routers whose samples are sent. Only samples with the method GET or HEAD are sent.
    ///   - client: the client whose calls the mocks answer; nil for one with the default configuration. Its environment
    ///     and base URL are not used.
    ///   - options: what else is compared, and what is left out.
    /// - Returns: nil if `MOCKS` is not set or does not start with `drift:`.
    /// - Throws: the same errors as the initializer, and an error if the value of `MOCKS` is invalid.
    @discardableResult
    public static func run(
        _ routers: any SampledRoutes.Type..., client: APIClient? = nil, options: Options = Options(),
        filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> MockDrift? {
        guard case .drift(let environment) = try MockMode.current() else { return nil }
        let drift = try await MockDrift(of: routers, client, environment, options, filePath: filePath)
        print(drift.report)
        MockFinding.record(drift.findings, at: sourceLocation)
        return drift
    }

    private init(
        of routers: [any SampledRoutes.Type], _ client: APIClient?, _ environment: String, _ options: Options,
        filePath: String
    ) async throws {
        let configuration = client?.configuration ?? options.configuration
        let url = try options.folder ?? configuration.mocks ?? MockIndex.url(near: filePath)
        let live = try Self.environment(environment, in: options.environments, besides: url)
        var run = try DriftRun(folder: MockIndex(url: url), live: live, configuration: configuration)
        for route in routers.flatMap({ $0.anySamples }) + options.routes {
            try await run.ask(Route.from(route), ignoring: options.ignoring)
        }
        run.compare()
        rows = run.rows
        findings = rows.filter { $0.problem.severity != .info }.map { row in
            var problem = row.problem.of(nil)
            if let place = row.problem.key { problem.details.message = "\(place): \(problem.message)" }
            return MockFinding(row.kind, mock: row.mock, problem)
        }.sorted(by: MockFinding.isBefore)
        report = run.report
    }

    /// Loads the environment with this name. Throws an error if the environment's `$network` is not `live`.
    private static func environment(
        _ name: String, in given: URL?, besides mocks: URL
    ) throws -> Environment {
        let beside = mocks.deletingLastPathComponent().appendingPathComponent(EnvironmentFolder.name)
        let environment = try Environment.load(name, from: given ?? (beside.isFolder ? beside : nil))
        guard environment.network == .live else {
            throw FileProblem(
                path: environment.file.map(FilePath.display) ?? name,
                message: "the environment \(name) answers from mocks, so they cannot be compared with a server",
                fix: "use an environment whose \"$network\" is live")
        }
        return environment
    }
}
