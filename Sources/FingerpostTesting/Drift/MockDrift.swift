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
/// The comparison runs only if the environment variable `MOCKS` asks for it: `MOCKS=drift:Staging swift test`. Such a
/// run also compares the answers to the tests' own GET, HEAD and OPTIONS calls, so use this comparison for the routes
/// that no test calls. Only samples with one of these methods are sent, and only to the servers of the named
/// environment, here `Staging`.
///
/// The comparison checks the status, the media type, and whether the body decodes as the route's response type. Among
/// the keys that this type reads, the comparison reports missing and new keys, null in place of a value, and values of
/// another JSON type. If the route has no response type, or the type `JSONValue`, the comparison reports only missing
/// keys and values of another JSON type. Differences in values, such as ids and dates, and in the number of list
/// elements do not matter. A 404 or 410 is ignored if the path contains an interpolated value or a number.
///
/// A stream of events or JSON lines is compared like a list of its elements. The stream must end within 30 seconds:
/// leave out a stream that does not end.
///
/// Each difference is recorded as an issue in the test. The comparison changes no files; to update a mock, record it
/// with ``RecordingMiddleware``. To check mocks without a server, use ``MockAudit``.
public struct MockDrift: Sendable {
    /// The folders of a comparison, what it checks in addition to the samples of routers, and what it leaves out.
    public struct Options: Sendable {
        /// Routes to send in addition to the samples of routers: one value for each endpoint.
        public var routes: [any RouteConvertible]
        /// The environments folder. Default: `Environments/` beside the mocks folder, else the folder that
        /// ``Fingerpost/Environment`` finds.
        public var environments: URL?
        /// The mocks folder. Default: the same folder as in ``MockAudit``.
        public var folder: URL?
        /// Names of mocks that are not compared, including their variants.
        public var ignoring: Set<String>
        /// The client configuration that a comparison without a client uses. The environment and the base URL of the
        /// configuration are ignored.
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

    /// The differences. If no sample was compared, the list also contains an error that says so.
    public private(set) var findings: [MockFinding] = []
    /// One line that says what was compared, what differs, what was not compared, and why. The line contains no values
    /// from requests or responses.
    public let report: String

    /// Sends the samples to an environment's server and compares the responses with the mocks, without recording
    /// issues.
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
    ///   - routers: the routers whose samples are sent. Only samples with the method GET, HEAD or OPTIONS are sent.
    ///   - client: the client whose calls the mocks answer. The client's environment and base URL are ignored. If this
    ///     argument is nil, the comparison uses ``MockDrift/Options/configuration``.
    ///   - options: what to compare in addition, and what to leave out.
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

    /// Sets the credentials for a run with `MOCKS=drift:<environment>`. Such a run also sends the tests' GET, HEAD and
    /// OPTIONS calls to a server. The credentials apply to all tests of the process without the trait `.drift`. Call
    /// this method in a class's `setUp()`.
    ///
    /// - Parameter authorize: returns the authorization for these calls, as in the trait `.drift`.
    public static func authorize(
        fileID: String = #fileID, line: Int = #line,
        _ authorize: @escaping @Sendable (Environment) async throws -> Authorization?
    ) {
        let access = DriftAccess(account: "\(fileID):\(line)", authorize: authorize)
        DriftRun.ofProcess.access.withLock { $0 = access }
    }

    private init(
        of routers: [any SampledRoutes.Type], _ client: APIClient?, _ environment: String, _ options: Options,
        filePath: String
    ) async throws {
        let configuration = client?.configuration ?? options.configuration
        let url = try options.folder ?? configuration.mocks ?? MockIndex.url(near: filePath)
        let live = try Self.environment(environment, in: options.environments, besides: url)
        let (folder, run) = (try MockIndex(url: url), DriftRun())
        run.add(DriftReport(environment: environment))
        for route in routers.flatMap({ $0.anySamples }) + options.routes {
            let route = Route.from(route)
            guard let name = try folder.mockName(of: route),
                !MockFinding.isIgnored(name.rawValue, options.ignoring)
            else { continue }
            // MockAudit reports a mock that cannot be read.
            let mock = try? folder.mock(named: name.rawValue)
            let answer = mock?.arrivingAnswers.first(where: \.isSuccess)
            let reading = answer.flatMap { try? BodyReading(of: $0, in: folder, configuration) }
            let response = reading.map { $0.response.with(body: $0.body) }
            let mocked = DriftRead.Mocked(
                route: route, configuration: configuration, mock: name, response: response,
                recorded: mock?.settings?.recorded?.at)
            let read = DriftRead(mocked, live, in: run)
            if let objection = read.objection(in: nil) {
                run.add(DriftReport(objection))
            } else {
                findings += await read.compare(nil)
            }
        }
        if run.report.reads == 0 {
            let problem = FileProblem(
                path: FilePath.display(url), message: "no sample was compared with \(environment)",
                fix: "add a sample whose method is GET, HEAD or OPTIONS and whose mock is a success")
            findings.append(MockFinding(.drift, mock: nil, problem))
        }
        report = run.report.text
    }

    /// Loads the environment with this name, from a folder or from beside the mocks.
    ///
    /// - Throws: an error if the environment's `$network` is not `live`.
    static func environment(_ name: String, in given: URL?, besides mocks: URL?) throws -> Environment {
        let beside = mocks?.deletingLastPathComponent().appendingPathComponent(EnvironmentFolder.name)
        let environment = try Environment.load(name, from: given ?? beside.flatMap { $0.isFolder ? $0 : nil })
        guard environment.network == .live else {
            throw FileProblem(
                path: environment.file.map(FilePath.display) ?? name,
                message: "the environment \(name) answers from mocks, so they cannot be compared with a server",
                fix: "use an environment whose \"$network\" is live")
        }
        return environment
    }
}
