public import Fingerpost
import FingerpostFiles
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Writes what a server answers to the folder of the mocks, for each route that names one.
///
/// ```swift
/// let staging = try Environment.load("Staging")
/// configuration.environment = staging
/// configuration.middleware.append(try RecordingMiddleware(environment: staging))
/// ```
///
/// In tests the process variable does it: `MOCKS=record:Staging swift test --filter …`. Nothing is ever recorded without being asked
/// for. Put it last, where it sees what came over the network; answers of mocks are passed on.
///
/// A success becomes `<name>.json`, any other status `<name>.<status>.json`, each with settings beside it (`<name>.mock.json`) that say
/// which request it answers, when it was recorded and from where. JSON is written pretty, with sorted keys and its numbers and strings
/// as they came; other bodies as they came. Left out, wherever they stand and however they are escaped, are the secrets of the
/// environment, the credentials of the request and the cookies of the response; a part of the path that holds one is `{secret}` in the
/// settings. Of JSON the tokens, secrets and passwords that the server issues are left out too, by their names: `access_token`,
/// `clientSecret`. Of the headers `ETag`, `Link`, `Location`, `Retry-After` and the type of what is no JSON are kept, and no others. What
/// else a body holds is yours to look at: a line says where something looks like a credential.
///
/// What is done is told line by line: `wrote`, `unchanged`, `renewed` (but for its date the same), `replaced`, `removed`, `kept`,
/// `redacted`. Tests that record at the same time write one after another; of several calls of one mock the one that began last stays,
/// with its body and its settings, whichever test made it.
public struct RecordingMiddleware: Middleware, Recorder {
    let recorder: MockRecorder
    private let environment: Environment?
    private let now: @Sendable () -> Date
    private let tell: @Sendable (String) -> Void
    private let told = Locked<[String]>([])

    /// - Parameters:
    ///   - environment: the environment of the client, whose secrets are left out; nil for a client without one.
    ///   - folder: the folder of the mocks; by default `Mocks/` beside the calling file or above it, up to the package's own folder, or
    ///     else where the client looks.
    ///   - tell: gets a line for each file; by default they are printed to the standard error.
    /// - Throws: when there is no folder; and in continuous integration (the process variable `CI` is set), where recordings would be
    ///   lost or worse committed unseen, unless `MOCKS_FORCE=1` is set too.
    public init(
        environment: Environment?, folder: URL? = nil, tell: (@Sendable (String) -> Void)? = nil,
        filePath: String = #filePath
    ) throws {
        try self.init(
            environment: environment, recorder: .shared(for: folder ?? MockFolder.url(near: filePath)), tell: tell,
            variables: ProcessInfo.processInfo.environment)
    }

    init(
        environment: Environment?, recorder: MockRecorder, tell: (@Sendable (String) -> Void)?,
        variables: [String: String], now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        let isIntegration = !["", "0", "false"].contains(variables["CI"]?.lowercased() ?? "")
        if isIntegration, variables["MOCKS_FORCE"] != "1" {
            throw ValueSource.variable("CI").problem(
                "mocks are not recorded in continuous integration",
                fix: "record them on your machine and commit them, or set MOCKS_FORCE=1")
        }
        self.recorder = recorder
        self.environment = environment
        self.now = now
        self.tell = tell ?? { StandardError.warn($0) }
    }

    /// What was done with the answers that came through this one so far, a line for each file.
    public var lines: [String] { told.withLock { $0 } }

    public func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        guard let mock = route.mock?.rawValue else { return try await next(request) }
        let turn = recorder.turns.next()
        let response = try await next(request)
        guard response.source == .network else { return response }
        if let objection = MockFileName.objection(to: mock) {
            throw FileProblem(
                path: FilePath.display(recorder.folder),
                message: "the mock name \"\(mock)\" of \(route.name) cannot be one: \(objection)",
                fix: "name a file below the folder")
        }
        do {
            let recording = try Recording(
                response, to: request, of: route, named: mock, environment: environment, at: now())
            try await recorder.write(recording, turn: turn, tell: say)
        } catch let refusal as Recording.Refusal {
            say("not written: the answer to \(refusal.route), as \(refusal.reason)")
        }
        return response
    }

    @Sendable private func say(_ line: String) {
        told.withLock { $0.append(line) }
        tell(line)
    }
}
