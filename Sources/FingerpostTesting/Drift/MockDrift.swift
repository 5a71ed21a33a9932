public import Fingerpost
import FingerpostFiles
public import Foundation
public import Testing

/// Compares the mocks with what a server answers today: one line of a test.
///
/// ```swift
/// @Test func `Mocks look like the server's answers`() async throws {
///     try await MockDrift.run(GitHub.samples)
/// }
/// ```
///
/// It does nothing unless the process variable `MOCKS` asks for it: `MOCKS=drift:Staging swift test --filter …` sends the samples of
/// GET and HEAD, and nothing else, to the server of the environment `Staging`. Shapes are compared, not values: ids, dates and the
/// number of elements do not matter.
///
/// | What is found | Told as |
/// |---|---|
/// | a field that the mock does not have | information |
/// | a field of the mock that the server does not send, and the model can do without | warning |
/// | a field that the model cannot do without, a value of another type, an answer that does not decode | error |
///
/// Information is in ``report`` alone, which is printed. Errors and warnings are issues of the test as well. Nothing is written: to
/// renew a mock record it. To check mocks without a server use ``MockAudit``.
public struct MockDrift: Sendable {
    /// What the report says of one mock.
    struct Row: Sendable {
        enum Tier: String, Sendable {
            case info, warning, error
        }

        let tier: Tier
        let mock: String
        let place: String
        let message: String
        /// False where there is no answer that could be recorded.
        let isOfAnswer: Bool
    }

    let rows: [Row]
    /// Warnings and errors, errors first.
    public let findings: [MockFinding]
    /// Everything as a table for people.
    public let report: String

    /// Asks the server of an environment.
    ///
    /// - Parameters:
    ///   - routes: a value for each endpoint; those that may change something are passed over.
    ///   - environment: the environment's name.
    ///   - environments: the folder of the environments; by default the one beside that of the mocks, or else where they are looked for.
    ///   - folder: the folder of the mocks, found as ``MockAudit`` finds it.
    ///   - configuration: that of the client, which is used with the environment and its base URL.
    ///   - ignored: names of mocks that are not compared.
    /// - Throws: when the environment or the folder cannot be read, or the environment answers from mocks.
    public init(
        _ routes: [any RouteConvertible], environment: String, from environments: URL? = nil, folder: URL? = nil,
        configuration: APIClient.Configuration = .init(), ignoring ignored: Set<String> = [],
        filePath: String = #filePath
    ) async throws {
        let url = try folder ?? configuration.mocks ?? MockFolder.url(near: filePath)
        let live = try Self.environment(environment, in: environments, besides: url)
        var run = try DriftRun(folder: MockFolder(url: url), live: live, configuration: configuration)
        let ignored = Set(ignored.map(ByteName.init))
        for route in routes.map({ Route($0) }) where !ignored.contains(ByteName(route.mock?.rawValue ?? "")) {
            await run.ask(route)
        }
        run.compare()
        rows = run.rows
        findings = rows.filter { $0.tier != .info }.map { row in
            MockFinding(
                .drift, mock: row.mock,
                FileProblem(
                    path: run.path(of: row.mock), message: "\(row.place.isEmpty ? "" : "\(row.place): ")\(row.message)",
                    fix: row.isOfAnswer ? "record it anew with MOCKS=record:\(environment), and correct the model" : nil
                ),
                isError: row.tier == .error)
        }.sorted(by: MockFinding.isBefore)
        report = run.report
    }

    /// Does what the variable `MOCKS` asks for: nothing, in most runs.
    ///
    /// - Parameters: as those of ``init(_:environment:from:folder:configuration:ignoring:filePath:)``.
    /// - Returns: nil when the variable does not ask for it.
    @discardableResult
    public static func run(
        _ routes: [any RouteConvertible], from environments: URL? = nil, folder: URL? = nil,
        configuration: APIClient.Configuration = .init(), ignoring ignored: Set<String> = [],
        filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> MockDrift? {
        guard case .drift(let environment) = try MockMode.current() else { return nil }
        let drift = try await MockDrift(
            routes, environment: environment, from: environments, folder: folder, configuration: configuration,
            ignoring: ignored, filePath: filePath)
        print(drift.report)
        MockFinding.record(drift.findings, at: sourceLocation)
        return drift
    }

    /// The same for all samples of a router: `try await MockDrift.run(GitHub.self)`.
    @discardableResult
    public static func run<Router: SampledRoutes>(
        _ router: Router.Type, from environments: URL? = nil, folder: URL? = nil,
        configuration: APIClient.Configuration = .init(), ignoring ignored: Set<String> = [],
        filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> MockDrift? {
        try await run(
            router.samples, from: environments, folder: folder, configuration: configuration, ignoring: ignored,
            filePath: filePath, sourceLocation: sourceLocation)
    }

    /// The environment, which must lead to a server.
    private static func environment(
        _ name: String, in given: URL?, besides mocks: URL
    ) throws -> Environment {
        let beside = mocks.deletingLastPathComponent().appendingPathComponent(EnvironmentFolder.name)
        let environment = try Environment.load(name, from: given ?? (beside.isFolder ? beside : nil))
        guard environment.network == .live else {
            throw FileProblem(
                path: environment.file.map(FilePath.display) ?? name,
                message: "the environment \(name) answers from mocks, so there is nothing to compare them with",
                fix: "name one whose \"$network\" is live")
        }
        return environment
    }
}
