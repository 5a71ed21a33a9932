public import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
public import Foundation

/// Records a server's answers as mocks, for each route that names a mock: see ``/Fingerpost/Routable/mock``.
///
/// ```swift
/// let staging = try APIEnvironment.load("Staging")
/// configuration.environment = staging
/// configuration.middleware.append(try RecordingMiddleware(environment: staging))
/// ```
///
/// Use this middleware to record from an app or a script. In tests, use the trait `.recording` instead, with the
/// process's environment variable `MOCKS`: `MOCKS=record:Staging swift test`. Append this middleware last, so that it
/// receives answers directly from the network. Answers from mocks are not recorded.
///
/// A successful response is written to `<name>.json` with the settings `<name>.mock.json`. A response with any other
/// status is written to `<name>.<status>.json` with the settings `<name>.<status>.mock.json`. If the mock has no
/// default response, this response also becomes the default, until a successful response is recorded. A 401 is not
/// written if the client can refresh the token that the server has rejected.
///
/// If a body is not JSON, the extension of the body's file depends on the body's media type. An earlier recording with
/// another extension is removed. The settings contain the request, the time of the recording and the environment's
/// name. A body is recorded byte for byte, except for its secrets, which are redacted.
///
/// If `APIClient.pages(_:as:by:maximum:)` loads a list, each page after the first becomes a variant, such
/// as `<name>.page2.json`. The variant's settings contain the query of the page. A page is not written if its query
/// differs from the first page's query only in secrets.
///
/// If a body is read as it arrives (`APIClient.stream(_:)`), the body is recorded when the loop over the
/// stream ends. A body of which only a part has arrived is recorded too. Events are written to `<name>.events`, and
/// lines of JSON to `<name>.ndjson`. The settings contain the `pace` at which the stream arrived. An event or a line
/// that was cut off is left out.
///
/// - The environment's secrets, the request's credentials, and the credentials in the response's headers and body are
///   redacted. These values are also found if they are percent-encoded, escaped for JSON, or encoded in Base64. A path
///   segment with a secret becomes `{secret}` in the settings. If a secret in a response cannot be redacted, the
///   response is not recorded.
/// - In JSON, forms, headers and addresses, values with names such as `access_token` and `clientSecret` are redacted
///   too, except for error messages: `{"password": ["is too short"]}`. Values with the format of a credential, such as
///   a JSON Web Token, are redacted everywhere.
/// - A response is not recorded if its body contains a secret and is text other than JSON, a form, or a stream of lines
///   or events. If a request could not be searched for secrets, the response is not recorded.
/// - The headers `ETag`, `Link`, `Location` and `Retry-After` are recorded. `Content-Type` is recorded if the file's
///   extension does not imply the content type. To record another header, add it to the mock's settings once. Headers
///   with the names of credentials are never recorded.
///
/// A response is recorded under the name of the route's enum case, for example in `Mocks/list.json`. If the router has
/// a folder, such as `Mocks/Issues`, the router's recordings go to this folder: `Mocks/Issues/list.json`. If the `for`
/// entry in a mock's settings names another request, the response is not written, and the recorder reports how to fix
/// the conflict. If a route's path has changed, remove the route's mock and record the mock again. If the settings
/// contain a `recorded` entry, the recorder does not change their `for` entry, even if you have edited or removed the
/// `for` entry. The recording of an absolute URL has no `for` entry, because absolute URLs are often used only once.
///
/// In the headers `Link` and `Location`, addresses below a base URL of the environment are recorded relative to this
/// URL, for example as `{env.baseURL}/issues?page=2`. Addresses in bodies are unchanged.
///
/// The recorder reports each step in a line that starts with `wrote`, `unchanged`, `renewed` (only the date is new),
/// `replaced`, `removed`, `kept`, `redacted` or `not written`. Warnings start with `but`. If a recording differs from
/// the earlier one only in its date, the recorder keeps the old date, except in settings with an `expires` entry. Each
/// redacted value is reported once. Tests that run in parallel share one recorder per folder. Record from one process
/// at a time. If several calls in a test run use the same mock, the recorder keeps the response to the call that
/// started last.
public struct RecordingMiddleware: Middleware, Recorder {
    let recorder: MockRecorder
    private let environment: Environment?
    private let now: @Sendable () -> Date
    private let report: @Sendable (String) -> Void
    /// Identifies the test whose answers this recorder writes.
    private let test = UUID()
    private let reported = Locked<[String]>([])
    /// The errors that fail the test, because an answer could not be written.
    private let failures = Locked<[String]>([])
    private let streams = Locked<[WeakStream]>([])
    /// Receives each recording, or the reason why a response cannot be recorded. If this closure is set, no files are
    /// written. Nil for a recorder that writes files.
    private let compare: Comparison?
    /// The names of mocks. These mocks and their variants are not recorded.
    var ignoring: Set<String> = []
    /// True for a recorder that a test uses. A recorder of a test ignores the calls of the client's authorization.
    var isOfTest = false

    typealias Comparison = @Sendable (Result<Recording, Recording.Refusal>, Response<Data>) -> Void

    /// Creates a recorder for a mocks folder.
    ///
    /// - Parameters:
    ///   - environment: the client's environment, whose secrets are redacted; nil for a client without an environment.
    ///   - folder: the mocks folder. Default: `Mocks/` beside the calling file or in a folder above that file, up to
    ///     the package root. If no such folder exists, the default is `Mocks/` in the working directory. Do not pass a
    ///     folder in a bundle, because the next build replaces that folder.
    ///   - tell: receives each report line. Default: lines are printed to standard error.
    ///   - filePath: the path of the calling file, near which the mocks folder is.
    /// - Throws: an error if no mocks folder is found, or if the process runs in continuous integration. Recordings
    ///   made in continuous integration would be lost, or committed without review. A run counts as continuous
    ///   integration if the process variable `CI` is set to a value other than `0`, `false` or the empty string. Set
    ///   `MOCKS_FORCE=1` to record in continuous integration.
    public init(
        environment: Environment?, folder: URL? = nil, tell: (@Sendable (String) -> Void)? = nil,
        filePath: String = #filePath
    ) throws {
        try self.init(
            environment: environment, recorder: .shared(for: folder ?? MockIndex.url(near: filePath, isWritten: true)),
            tell: tell, variables: ProcessInfo.processInfo.environment)
    }

    init(
        environment: Environment?, recorder: MockRecorder, tell: (@Sendable (String) -> Void)? = nil,
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
        compare = nil
        report = tell ?? { StandardError.warn($0) }
    }

    /// Creates a recorder that writes no files and reports nothing.
    init(environment: Environment, folder: URL, ignoring: Set<String>, compare: @escaping Comparison) {
        (recorder, self.environment, self.compare) = (.shared(for: folder), environment, compare)
        self.ignoring = ignoring
        (now, report) = ({ Date() }, { _ in })
    }

    /// The lines reported so far for the responses that passed through this recorder.
    public var lines: [String] { reported.withLock { $0 } }

    /// Sends the request, and records the response if it came from the network. If a recording cannot be written, the
    /// call still succeeds. The recorder reports the error, and the test fails when the test ends.
    ///
    /// - Throws: any error that the call throws.
    public func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        try await record(request, for: route, next)
    }

    package func intercept(
        _ request: URLRequest, for route: Route, next: Next,
        observe: @escaping @Sendable (any BodyObserver) throws -> Void
    ) async throws -> Response<Data> {
        try await record(request, for: route, next, observe)
    }

    /// - Parameter observe: attaches an observer to the body, if the response arrives before its body.
    func record(
        _ request: URLRequest, for route: Route, _ next: Next,
        _ observe: (@Sendable (any BodyObserver) throws -> Void)? = nil
    ) async throws -> Response<Data> {
        if isOfTest, Authorization.isRunning { return try await next(request) }
        let names = names(of: route)
        if names.isEmpty || names.contains(where: { MockFinding.isIgnored($0, ignoring) }) {
            return try await next(request)
        }
        let turn = recorder.nextTurn()
        let response = try await next(request)
        guard response.source == .network, response.record?.asksForNewToken(response) != true else {
            return response
        }
        // A scope inside the test can have another environment than the recorder. Answers from the scope's environment
        // must not become mocks of the recorder's environment.
        if isOfTest || compare != nil, let own = response.record?.environment, own.name != environment?.name {
            return response
        }
        for mock in names {
            guard let objection = MockFileName.objection(to: mock) else { continue }
            let problem = FileProblem(
                path: FilePath.display(recorder.folder),
                message: "the mock name \"\(mock)\" of \(route.name) is invalid: \(objection)",
                fix: "name a file inside the folder")
            fail(route, problem, response)
            return response
        }
        let credentials = response.sentCredentials
        let write = { @Sendable (response: Response<Data>, pace: MockPace?) in
            do {
                let comparing = compare.map { compare in { compare(.success($0), response) } }
                try recorder.record(
                    route, request, named: names, turn: turn, in: test, report: add, comparing: comparing
                ) { mock, page in
                    let answer = Recording.Answer(
                        response: response, request: request, route: route, pace: pace, credentials: credentials)
                    return try Recording(answer, named: mock, page: page, environment: environment, at: now())
                }
            } catch let refusal as Recording.Refusal {
                add("not written: the answer to \(refusal.route): \(refusal.reason)")
                compare?(.failure(refusal), response)
            } catch {
                fail(route, error, response)
            }
        }
        guard let observe, response.isSuccess else {
            write(response, nil)
            return response
        }
        let stream = StreamCollector(type: response.headers[.contentType], now: now) { body, pace in
            write(response.with(body: body), pace)
        }
        streams.withLock { streams in
            streams.removeAll { $0.stream == nil }
            streams.append(WeakStream(stream: stream))
        }
        try observe(stream)
        return response
    }

    /// Writes, for each unfinished stream, the part that has arrived so far. This method is called at the end of a
    /// test.
    ///
    /// - Returns: the errors of recordings that could not be written.
    @discardableResult func finish() -> [String] {
        let open = streams.withLock { streams in
            defer { streams = [] }
            return streams.compactMap(\.stream)
        }
        for stream in open { stream.end(isWhole: false) }
        return failures.withLock { $0 }
    }

    private func fail(_ route: Route, _ error: any Error, _ response: Response<Data>) {
        let line = "not written: the answer to \(route.name): \(error)".printable
        failures.withLock { $0.append(line) }
        add(line)
        guard let compare else { return }
        let redactor = SecretRedactor(environment, credentials: response.sentCredentials.found)
        compare(
            .failure(
                Recording.Refusal(route: redactor.shown(route.name), reason: redactor.shown("\(error)").printable)),
            response)
    }

    /// A weak reference to a stream that is being recorded. The connection has the strong reference.
    private struct WeakStream: Sendable {
        weak var stream: StreamCollector?
    }

    /// Returns the possible names of the route's mock. The list is empty for a route without a mock.
    private func names(of route: Route) -> [String] {
        do throws(APIError) { return try route.mockNames.map(\.rawValue) } catch {
            add("not written: the answer to \(route.name): \(error.message)")
            return []
        }
    }

    @Sendable private func add(_ line: String) {
        let line = line.printable
        reported.withLock { $0.append(line) }
        report(line)
    }
}
