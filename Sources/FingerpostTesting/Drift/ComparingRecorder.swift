import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// Compares a server's answers with mocks. The answer to a sample or to a test's call is compared with the mock that
/// would have answered the same call. Before the comparison, the answer passes through the steps of
/// ``RecordingMiddleware``.
///
/// The recorders of a test's clients are copies that differ in the configuration alone.
struct ComparingRecorder: ClientRecorder, CallObserver {
    /// The last answer to a call, as the server sent it.
    private struct Answer {
        let response: Response<Data>
        let request: URLRequest
        let route: Route
        let configuration: APIClient.Configuration
        let recording: Result<Recording, Recording.Refusal>
    }

    private struct State {
        /// The answers to calls that are still running.
        var answers: [ObjectIdentifier: (record: CallRecord, answer: Answer)] = [:]
        var findings: [MockFinding] = []
        var streams: [RecordingMiddleware] = []
        var compared = 0
        var isSkipped = false
    }

    private static let overrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X-Method"]

    private let settings: RecordingSettings
    private let environment: Environment
    private let folder: URL
    private let run: RecordingRun
    private let limit: Duration
    /// The configuration of the client that sends the calls.
    private var configuration = APIClient.Configuration()
    private let state = Locked(State())

    /// - Parameter limit: the maximum time that a server may take to answer.
    init(
        _ settings: RecordingSettings, _ environment: Environment, folder: URL, in run: RecordingRun,
        limit: Duration = .seconds(30)
    ) {
        (self.settings, self.environment, self.folder) = (settings, environment, folder)
        (self.run, self.limit) = (run, limit)
        run.meet(settings.ignoring, in: folder)
    }

    /// The number of compared answers.
    var compared: Int { state.withLock(\.compared) }
    /// True after the test has made a call that may change data on the server. That call and all later calls are not
    /// sent: they end the test, or mocks answer them if the test cannot be skipped.
    var isSkipped: Bool { state.withLock(\.isSkipped) }

    func recorder(of configuration: APIClient.Configuration) -> any Recorder {
        var recorder = self
        recorder.configuration = configuration
        // The call has already run the closure `validate`, which may have side effects.
        recorder.configuration.validate = nil
        return recorder
    }

    /// Compares the answers of calls that are still running, such as streams that the test did not read to the end.
    ///
    /// - Returns: the findings that must fail the test.
    func finish() -> [MockFinding] {
        let streams = state.withLock { state in
            defer { state.streams = [] }
            return state.streams
        }
        for stream in streams { stream.finish() }
        for (record, answer) in state.withLock({ Array($0.answers.values) }) { compare(answer, of: record) }
        return state.withLock(\.findings)
    }

    // MARK: Sending

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        try await send(request, route, next)
    }

    func intercept(
        _ request: URLRequest, for route: Route, next: Next,
        observe: @escaping @Sendable (any BodyObserver) throws -> Void
    ) async throws -> Response<Data> { try await send(request, route, next, observe) }

    private func send(
        _ request: URLRequest, _ route: Route, _ next: Next,
        _ observe: (@Sendable (any BodyObserver) throws -> Void)? = nil
    ) async throws -> Response<Data> {
        if Authorization.isRunning { return try await next(request) }
        let place = place(of: route, CallCredentials.of(request))
        do throws(APIError) { run.meet(try route.mockNames.map(\.rawValue), in: folder) } catch {
            note(.refused, place, error.message, nil, fix: "implement `mock` in the router")
        }
        if settings.writes != true, !Self.isRead(request) {
            state.withLock { $0.isSkipped = true }
            run.add(place, to: .writes)
        }
        if isSkipped { return try skipped(request, route, place) }
        if run.isStopped {
            run.add(place, to: .unsent)
            throw APIError(.transport, "\(environment.name) has not answered four calls, so nothing more is sent")
        }
        let recorder = RecordingMiddleware(
            environment: environment, folder: folder, ignoring: settings.ignoring
        ) { [self] recording, response in
            let answer = Answer(
                response: response, request: request, route: route, configuration: configuration, recording: recording)
            guard let record = response.record else { return }
            state.withLock { $0.answers[ObjectIdentifier(record)] = (record, answer) }
            // The call has already ended if, for example, the test has read the whole stream.
            if record.hasEnded { compare(answer, of: record) }
        }
        if observe != nil { state.withLock { $0.streams.append(recorder) } }
        return try await withoutActuallyEscaping(next) { next in
            try await recorder.record(request, for: route, limited(next), observe)
        }
    }

    /// Returns the mock's answer if the test cannot be skipped. Otherwise throws an error that ends the test.
    private func skipped(_ request: URLRequest, _ route: Route, _ place: String) throws -> Response<Data> {
        let index = settings.canSkip ? nil : try MockIndex(url: folder)
        if let index, let name = try index.mockName(of: route),
            let mock = try mock(named: name.rawValue, in: index, request, route, configuration)
        {
            return mock.reading.response.with(body: mock.reading.body)
        }
        throw APIError(
            .transport, "\(place) is not sent to \(environment.name), because the test writes there",
            fix: "add .recording(writes: true) to the test")
    }

    private func limited(_ next: @escaping Middleware.Next) -> Middleware.Next {
        { [limit] request in
            try await withThrowingTaskGroup(of: Response<Data>?.self) { group in
                group.addTask { try await next(request) }
                group.addTask {
                    try await Task.sleep(for: limit)
                    return nil
                }
                defer { group.cancelAll() }
                if let response = try await group.next() ?? nil { return response }
                throw APIError(.timedOut, "the server did not answer within \(limit)")
            }
        }
    }

    private static func isRead(_ request: URLRequest) -> Bool {
        let items = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems } ?? []
        let methods =
            [request.httpMethod ?? "GET"] + overrides.compactMap { request.value(forHTTPHeaderField: $0) }
            + items.filter { $0.name == "_method" }.compactMap(\.value)
        return methods.allSatisfy { ["GET", "HEAD", "OPTIONS"].contains($0.uppercased()) }
    }

    private func isCompared(_ route: Route) -> Bool {
        let names = (try? route.mockNames)?.map(\.rawValue) ?? []
        return !names.isEmpty && !names.contains { MockFinding.isIgnored($0, settings.ignoring) }
    }

    /// Returns the method and the path of a route for a report.
    private func place(of route: Route, _ credentials: [String]) -> String {
        let path = String(route.path.pathAlone)
        return SecretRedactor(environment, credentials: credentials)
            .shown("\(route.method) \(path.begins(with: "/") ? "" : "/")\(path)")
    }

    // MARK: Comparing

    func finished(_ call: LoggedCall) {
        if Authorization.isRunning || isSkipped { return }
        if let own = call.record.environment, own.name != environment.name { return }
        if call.source == .network { run.noteAnswer(true) }
        let record = call.record
        if let answer = state.withLock({ $0.answers[ObjectIdentifier(record)]?.answer }) {
            return compare(answer, of: record)
        }
        let place = place(of: record.route, CallCredentials(record).found)
        let (isCompared, kind) = (isCompared(record.route), call.error?.kind)
        // The recorder ignores an answer with the status 401 if the client can refresh the token. A 401 is therefore
        // reported here.
        if isCompared, settings.status != 401, kind == .authorization || kind == .status(401) {
            note(
                .rejected, place, "the server rejected the token", nil,
                fix: "sign in with credentials that the server accepts")
        } else if isCompared, isOfOtherCall(call) {
            note(
                .rejected, place, "the call failed before it was sent, such as for want of a token", nil,
                fix: "sign in with credentials that the server accepts")
        } else if call.source == nil, !run.isStopped, kind == .offline || kind == .timedOut || kind == .transport {
            run.add(place, to: .silent)
            run.noteAnswer(false)
        }
    }

    /// Returns true if the call failed without an answer because another call failed, such as the request for a token.
    private func isOfOtherCall(_ call: LoggedCall) -> Bool {
        if case .mock = call.source { return false }
        return switch call.error?.kind {
        case .status, .decoding: true
        default: false
        }
    }

    private func compare(_ answer: Answer, of record: CallRecord) {
        guard state.withLock({ $0.answers.removeValue(forKey: ObjectIdentifier(record)) }) != nil else { return }
        do {
            let recording = try answer.recording.get()
            if !recording.isEndOfStream { try compare(answer, recording, LoggedCall(record).decodedType) }
        } catch let refusal as Recording.Refusal {
            note(.refused, refusal.route, refusal.reason, nil, fix: "leave it out with .recording(ignoring:)")
        } catch {
            note(.refused, place(of: answer.route, []), "\(error)", nil, fix: "correct the mock")
        }
    }

    private func compare(_ answer: Answer, _ recording: Recording, _ decoded: Any.Type?) throws {
        let (route, name) = (recording.settings.template, recording.name.mock)
        let status = answer.response.status
        if let expected = settings.status, expected != status {
            addCompared()
            return note(
                status == 401 ? .rejected : .different, route, "the status is \(status), not \(expected)", name,
                fix: "correct the test or its .recording(status:)")
        }
        let found = try mock(
            named: name, in: MockIndex(url: folder), answer.request, answer.route, answer.configuration)
        guard let found else { return run.add("\(route): \(name)", to: .missing) }
        let writer = MockRecorder.shared(for: folder)
        let file = MockFileName(name.mockName, variant: found.variant).settings.path
        if let key = try writer.keyWrittenByHand(in: writer.settings(in: file)) {
            return run.add("\(name): \(key)", to: .kept)
        }
        addCompared()
        let form = decoded.flatMap { BodyForm($0) == .decoded ? $0 : nil } as? any (Decodable & Sendable).Type
        let type = form ?? answer.route.responseType
        let comparison = DriftComparison(
            route: answer.route, type: type == JSONValue.self ? nil : type, configuration: answer.configuration)
        let isRejected = status == 401 && found.reading.response.status != 401
        // A server answers 202 while the requested work is still running.
        let isPolled = status == 202 && found.reading.response.status != 202
        for difference in comparison.differences(from: found.reading, to: answer.response) {
            let text = recording.settings.redactor.shown(difference)
            note(
                isRejected ? .rejected : .different, route, text, name, file: found.reading.response.file,
                fix: isRejected
                    ? "sign in with credentials that the server accepts"
                    : isPolled
                        ? "leave a mock that the test polls out, with .recording(ignoring: [\(name.quoted)])"
                        : "record it again with MOCKS=record:\(environment.name), and correct the model")
        }
    }

    /// Returns the mock's answer to a request, or nil if the mock does not answer this request.
    private func mock(
        named name: String, in index: MockIndex, _ request: URLRequest, _ route: Route,
        _ configuration: APIClient.Configuration
    ) throws -> (variant: String?, reading: BodyReading)? {
        let stub = index.stub(named: name)
        let ofStatus = settings.status.map { "\($0)" }.flatMap { stub[$0] == nil ? nil : $0 }
        let variant = try ofStatus ?? index.page(of: stub, for: request, of: route)
        guard stub[variant] != nil else { return nil }
        let definition = try index.definition(of: stub, variant: variant)
        let query = request.url?.query(percentEncoded: true) ?? ""
        guard definition.settings?.route?.matches(query: query) != false else { return nil }
        guard let answer = definition.responses.first, (settings.status ?? answer.status) == answer.status else {
            return nil
        }
        return (variant, try BodyReading(of: answer, in: index, configuration))
    }

    private func addCompared() {
        run.addCompared()
        state.withLock { $0.compared += 1 }
    }

    private func note(
        _ count: RecordingRun.Count, _ route: String, _ message: String, _ mock: String?, file: URL? = nil,
        fix: String
    ) {
        let text = "\(route): \(message)"
        run.add(text, to: count)
        let problem = FileProblem(path: FilePath.display(file ?? folder), message: text, fix: fix)
        let finding = MockFinding(.drift, mock: mock, problem)
        state.withLock { if !$0.findings.contains(finding) { $0.findings.append(finding) } }
    }
}

/// The settings of the trait `.recording` for the calls of a test.
struct RecordingSettings: Sendable {
    var folder: URL?
    /// True if calls with methods other than GET, HEAD and OPTIONS are sent and compared.
    var writes: Bool?
    /// The mocks that are neither recorded nor compared.
    var ignoring: Set<String> = []
    /// The status that the test expects. If nil, an answer must have the status of the default mock.
    var status: Int?
    /// False in XCTest, where a running test cannot be skipped.
    var canSkip = true

    /// Returns these settings, with the outer trait's value for each setting that has none, and with the ignored mocks
    /// of both traits.
    func inheriting(_ outer: RecordingSettings) -> RecordingSettings {
        var settings = self
        settings.folder = folder ?? outer.folder
        settings.writes = writes ?? outer.writes
        settings.ignoring.formUnion(outer.ignoring)
        settings.status = status ?? outer.status
        return settings
    }
}

extension Response {
    /// The file of the mock that answered; nil for any other response.
    fileprivate var file: URL? { if case .mock(let file) = source { file } else { nil } }
}
