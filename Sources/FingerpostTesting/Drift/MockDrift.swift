public import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
public import Foundation
public import Testing

/// Compares the mocks with a server's answers to samples. A single line in a test runs this comparison.
///
/// ```swift
/// @Test func `Mocks look like the server's answers`() async throws {
///     try await MockDrift.run(GitHub.self)
/// }
/// ```
///
/// The comparison runs only if the environment variable `MOCKS` selects it: `MOCKS=drift:Staging swift test`. In such a
/// run, tests with the trait `.recording` also compare the answers to their calls. Use `MockDrift` for the routes that
/// these tests do not call. Only samples with the method GET, HEAD or OPTIONS are sent, and only to the servers of the
/// named environment, here `Staging`. Under `MOCKS=record:Staging`, the same samples are recorded.
///
/// The comparison checks the status, the media type, and whether the body decodes as the route's response type. Among
/// the keys that this type reads, the comparison reports missing and new keys, and values of another JSON type. If the
/// route has no response type, or the type `JSONValue`, the comparison reports only missing keys and values of another
/// JSON type. The comparison ignores differences in values such as ids and dates. It also ignores null in place of an
/// optional value, and the number of list elements.
///
/// A stream of events or JSON lines is compared like a list of its elements. The stream must end within 30 seconds:
/// leave out a stream that does not end.
///
/// Each difference is recorded as an issue in the test. The comparison changes no files. To update a mock, record the
/// mock again. To check mocks without a server, use ``MockAudit``.
public struct MockDrift: Sendable {
    /// The folders of a comparison, the routes to compare in addition to the routers' samples, and the mocks to leave
    /// out.
    public struct Options: Sendable {
        let routes: [any RouteConvertible]
        let environments: URL?
        let folder: URL?
        let ignoring: Set<String>
        let configuration: APIClient.Configuration

        /// Creates options. By default, nothing is added and nothing is left out.
        ///
        /// - Parameters:
        ///   - routes: routes to send in addition to the routers' samples. List one route for each endpoint.
        ///   - environments: the environments folder. Default: `Environments/` beside the mocks folder, else the folder
        ///     that ``/Fingerpost/Environment`` finds.
        ///   - folder: the mocks folder. Default: the same folder as in ``MockAudit``.
        ///   - ignoring: names of mocks. These mocks and their variants are not compared.
        ///   - configuration: the client configuration that a comparison without a client uses. The environment and the
        ///     base URL of the configuration are ignored.
        public init(
            routes: [any RouteConvertible] = [], environments: URL? = nil, folder: URL? = nil,
            ignoring: Set<String> = [], configuration: APIClient.Configuration = .init()
        ) {
            self.routes = routes
            self.environments = environments
            self.folder = folder
            self.ignoring = ignoring
            self.configuration = configuration
        }
    }

    /// The differences. If no sample was compared, the list also contains an error about this.
    public private(set) var findings: [MockFinding]
    /// One line about the comparison: what was compared, what differs, and why other samples were not compared. The
    /// line contains no secrets. For ``run(_:client:options:filePath:sourceLocation:)``, the line contains the totals
    /// of the whole run so far.
    let report: String

    /// Sends the samples to an environment's server and compares the responses with the mocks, without recording
    /// issues.
    ///
    /// The parameters are the same as for ``run(_:client:options:filePath:sourceLocation:)``, with the name of the
    /// environment.
    ///
    /// - Throws: an error if the environment or the folder cannot be read, or if the environment's `$network` is not
    ///   `live`.
    public init(
        _ routers: any SampledRoutes.Type..., client: APIClient? = nil, environment: String,
        options: Options = Options(), filePath: String = #filePath
    ) async throws {
        try await self.init(
            of: routers, client, environment, options, in: RecordingRun(environment), filePath: filePath)
    }

    /// If `MOCKS=drift:<environment>` is set, compares the mocks with that environment's server, and records the
    /// findings as issues in the running test. If `MOCKS=record:<environment>` is set, records the samples.
    ///
    /// ```swift
    /// try await MockDrift.run(GitHub.self, Search.self, client: client)
    /// ```
    ///
    /// - Parameters:
    ///   - routers: the routers whose samples are sent. Only samples with the method GET, HEAD or OPTIONS are sent.
    ///   - client: the client that sends the samples, with its authorization. The client's environment and base URL are
    ///     ignored. If this argument is nil, the comparison uses the configuration in `options`.
    ///   - options: what to compare in addition, and what to leave out.
    ///   - filePath: the path of the calling file, near which the mocks folder is.
    ///   - sourceLocation: the place at which the issues are recorded.
    /// - Returns: nil if `MOCKS` is not set or does not start with `drift:`.
    /// - Throws: the same errors as the initializer, and an error if the value of `MOCKS` is invalid.
    @discardableResult
    public static func run(
        _ routers: any SampledRoutes.Type..., client: APIClient? = nil, options: Options = Options(),
        filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> MockDrift? {
        let mode = try MockMode.current()
        guard let environment = mode.environment else { return nil }
        RecordingRun.ofProcess.begin(isRecording: true)
        if case .record = mode {
            let samples = try Samples(routers, client, environment, options, filePath: filePath)
            var recorder = try RecordingMiddleware(environment: samples.live, folder: samples.folder)
            (recorder.ignoring, recorder.isOfTest) = (options.ignoring, true)
            try await samples.send(through: recorder)
            return nil
        }
        let drift = try await MockDrift(
            of: routers, client, environment, options, in: .ofProcess, filePath: filePath)
        MockFinding.record(drift.findings, at: sourceLocation)
        return drift
    }

    private init(
        of routers: [any SampledRoutes.Type], _ client: APIClient?, _ environment: String, _ options: Options,
        in run: RecordingRun, filePath: String
    ) async throws {
        let samples = try Samples(routers, client, environment, options, filePath: filePath)
        let recorder = ComparingRecorder(
            RecordingSettings(ignoring: options.ignoring), samples.live, folder: samples.folder, in: run)
        for write in samples.writes { run.add(write, to: .writes) }
        try await samples.send(through: recorder)
        findings = recorder.finish()
        if recorder.compared == 0 {
            let problem = FileProblem(
                path: FilePath.display(samples.folder), message: "no sample was compared with \(environment)",
                fix: "add a sample whose method is GET, HEAD or OPTIONS and which has a mock")
            findings.append(MockFinding(.drift, mock: nil, problem))
        }
        report = run.report.text
    }

    /// Loads the environment with this name from the given folder, or else from the folder beside the mocks.
    static func load(_ name: String, in given: URL?, besides mocks: URL?) throws(EnvironmentError) -> Environment {
        let beside = mocks?.deletingLastPathComponent().appendingPathComponent(EnvironmentFolder.name)
        return try Environment.load(name, from: given ?? beside.flatMap { $0.isFolder ? $0 : nil })
    }

    /// The samples of routers, and the environment and the client for the samples' calls.
    private struct Samples {
        let folder: URL
        let live: Environment
        let client: APIClient
        private(set) var routes: [Route] = []
        /// The samples that are not sent, because their methods may change data on the server.
        private(set) var writes: [String] = []

        /// - Throws: an error if the environment's `$network` is not `live`.
        init(
            _ routers: [any SampledRoutes.Type], _ given: APIClient?, _ environment: String, _ options: Options,
            filePath: String
        ) throws {
            var configuration = given?.configuration ?? options.configuration
            folder = try options.folder ?? configuration.mocks ?? MockIndex.url(near: filePath)
            live = try MockDrift.load(environment, in: options.environments, besides: folder)
            guard live.network == .live else {
                throw FileProblem(
                    path: live.file.map(FilePath.display) ?? environment,
                    message:
                        "the environment \(environment) answers from mocks, so they cannot be compared with a server",
                    fix: "use an environment whose \"$network\" is live")
            }
            (configuration.environment, configuration.baseURL) = (nil, nil)
            client = try APIClient(configuration)
            let index = try MockIndex(url: folder)
            for route in routers.flatMap({ $0.anySamples }) + options.routes {
                var route = Route.from(route)
                guard let name = try index.mockName(of: route),
                    !MockFinding.isIgnored(name.rawValue, options.ignoring)
                else { continue }
                guard [.get, .head, "OPTIONS"].contains(route.method) else {
                    writes.append("\(route.method) \(name)")
                    continue
                }
                // The request for a stream of events needs the `Accept` header that `APIClient.events(_:)` sends.
                // MockAudit reports a mock that cannot be read.
                let type = (try? index.mock(named: name.rawValue))?.responses.first?.contentType
                if route.headers[.accept] == nil, type?.begins(with: "text/event-stream") == true {
                    route.headers[.accept] = "text/event-stream"
                }
                routes.append(route)
            }
        }

        func send(through recorder: any Recorder) async throws {
            let scope = APIScope(
                environment: live, network: .live, mocks: folder,
                observers: [recorder as? any CallObserver].compactMap(\.self)
            ).with { $0.recorder = recorder }
            // A detached task does not inherit the scope of the test.
            await Task.detached { [client, routes] in
                await scope.run {
                    for route in routes {
                        let call = client.open(route, decoding: route.responseType ?? JSONValue.self)
                        // The error is ignored, because the recorder counts failed calls.
                        let _: Response<Data>? = try? await client.response(to: call)
                    }
                }
            }.value
        }
    }
}
