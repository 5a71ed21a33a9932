import Fingerpost
import FingerpostFiles
import FingerpostMocks

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// A read whose mock is compared with the response of a server.
///
/// None of the test's code runs for it: no middleware, no `configure`, no `validate` and no transport of the client,
/// which could write into the stores of the test, or to another server. The harmless headers that they gave the test's
/// request are repeated. Only the closures of `.clientCredentials` and `.perEnvironment` run, with their clients. This
/// object is the transport of all their calls, so ``DriftGuard`` keeps them at the environment's servers.
final class DriftRead: Transport, CallObserver {
    /// What a mock has answered.
    struct Mocked: Sendable {
        let route: Route
        /// The configuration of the client.
        let configuration: APIClient.Configuration
        let mock: MockName
        /// The response; nil for a failure that the mock simulates.
        let response: Response<Data>?
        /// When the mock was recorded; nil for one written by hand.
        let recorded: Date?
        /// True if code, a variant or a scenario was chosen for the mock.
        var isChosen = false
        /// The call that was answered, with its last request and the type that it decodes; nil for a sample.
        var call: LoggedCall?
    }

    private struct State {
        var refusal: DriftReport.Reason?
        /// True while a server was asked and has not answered.
        var isSent = false
        /// True if the server does not get all headers that code gave the test's request.
        var isIncomplete = false
        /// The credentials in the requests and in the responses, which no report may show.
        var credentials: [String] = []
    }

    /// Tells the read from the calls of its authorization. No mock has this name.
    private static let mark: MockName = "read beside a test"
    /// The headers that code gives requests, and servers need. Others may have credentials.
    private static func isHarmless(_ name: HTTPHeaders.Name) -> Bool {
        let words = ["accept", "agent", "version", "platform", "locale", "language", "zone", "build"]
        return words.contains { name.rawValue.lowercased().contains($0) }
    }

    /// With them, the response would depend on what a test has received before.
    private static let conditions: Set<HTTPHeaders.Name> = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]
    private static let network = URLSessionTransport()

    private let mocked: Mocked
    private let live: Environment
    private let run: DriftRun
    private let barrier: DriftGuard
    /// The secrets of the test's environment and the credentials of its call, which must not be sent.
    private let secrets: [String]
    private let state = Locked(State())

    init(_ mocked: Mocked, _ live: Environment, in run: DriftRun) {
        (self.mocked, self.live, self.run, barrier) = (mocked, live, run, DriftGuard(live))
        let record = mocked.call?.record
        let texts = (record?.environment?.layers.secretTexts.map(\.text) ?? []) + CallCredentials(record).found
        // A secret of the server's own files is not the test's. A short text can be part of any other text.
        let known = Set(live.layers.secretTexts.map(\.text))
        let own = texts.filter { $0.utf8.count >= CallSecrets.unlikelyLength && !known.contains($0) }
        secrets = record == nil ? [] : own
    }

    /// The request of the test; nil for a sample.
    private var given: URLRequest? { mocked.call?.record.request }
    /// True for a call of a test, whose credentials are not those of the server.
    private var isOfTest: Bool { mocked.call != nil }

    /// Why the read is not sent, as far as that is known before; nil if it is.
    ///
    /// - Parameter environments: the environments that the test's traits name; nil for any.
    func objection(in environments: Set<String>?) -> DriftReport.Reason? {
        if mocked.isChosen { return .chosen }
        if !DriftGuard.isRead(mocked.route.method.rawValue) { return .write }
        if mocked.configuration.baseURL != nil { return .otherHost }
        let environment = mocked.call?.record.environment
        if let environments, let environment, !environments.contains(environment.name) { return .otherHost }
        // A route can name a server itself.
        if let url = given?.url, environment.map({ DriftGuard($0).isHome(url) }) != true, !barrier.isHome(url) {
            return .otherHost
        }
        if mocked.response?.isSuccess != true { return .failure }
        let items = given?.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems }
        // The number of a page is the same on any server.
        let isAtCursor = (items ?? []).contains { item in
            mocked.route.pageItems?.contains(item.name) == true && item.value.map { Int64($0) == nil } ?? true
        }
        if isAtCursor { return .cursor }
        guard let given, let plain else { return nil }
        if !DriftGuard.isRead(given.httpMethod ?? "GET") { return .write }
        if given.url.map(Origin.init) != plain.url.map(Origin.init) { return .otherHost }
        return given.url == plain.url && given.httpMethod == plain.httpMethod ? nil : .changed
    }

    /// The test's request as the route alone makes it; nil if no code can have changed it.
    private var plain: URLRequest? {
        let configuration = mocked.configuration
        var route = mocked.route
        if route.configure == nil, configuration.configure == nil, configuration.middleware.isEmpty { return nil }
        route.configure = nil
        return try? Self.client(configuration).request(for: route, in: mocked.call?.record.environment)
    }

    /// A client without the code of the test.
    private static func client(_ configuration: APIClient.Configuration) throws -> APIClient {
        var configuration = configuration
        (configuration.environment, configuration.baseURL, configuration.transport) = (nil, nil, nil)
        (configuration.middleware, configuration.configure) = ([], nil)
        (configuration.retryRule, configuration.validate) = (nil, nil)
        return try APIClient(configuration)
    }

    /// Asks the server, and compares its response with that of the mock.
    ///
    /// - Parameter access: what `.drift` says; nil for the client's authorization.
    /// - Returns: the differences that are new in the run.
    func compare(_ access: DriftAccess?) async -> [MockFinding] {
        guard let mock = mocked.response else { return [] }
        let key = key(access)
        let (answer, isFirst) = await run.answer(to: key) { await self.answer(access) }
        state.withLock { $0.credentials += answer.credentials }
        switch answer.result {
        case .success(let response):
            var configuration = mocked.configuration
            configuration.validate = nil
            let comparison = DriftComparison(route: mocked.route, type: model, configuration: configuration)
            return note(comparison.differences(from: mock, to: response), of: key)
        case .failure(.status(let status)):
            return note(["the status is \(status), not \(mock.status)"], of: key)
        case .failure(.reason(let reason)):
            if isFirst { run.add(DriftReport(reason)) }
            return []
        }
    }

    /// What tells the request from others: all that the test sends, and as whom it asks the server.
    private func key(_ access: DriftAccess?) -> String {
        guard let given else { return UUID().uuidString }
        let headers = (given.allHTTPHeaderFields ?? [:]).map { "\($0): \($1)" }.ordered(by: <)
        let other = access?.paths[mocked.route.path.text] ?? ""
        return ([access?.account ?? "", other, mocked.route.method.rawValue, "\(given.url as URL?)"] + headers)
            .joined(separator: "\n")
    }

    private func answer(_ access: DriftAccess?) async -> DriftAnswer {
        let result: Result<Response<Data>, DriftAnswer.Failure>
        do { result = .success(try await send(access)) } catch { result = .failure(failure(error, access)) }
        let (isSent, credentials) = state.withLock { ($0.isSent, $0.credentials) }
        return DriftAnswer(result: result, isSent: isSent, credentials: credentials)
    }

    private func failure(_ error: any Error, _ access: DriftAccess?) -> DriftAnswer.Failure {
        let (refusal, hasCredentials, isIncomplete) = state.withLock {
            ($0.refusal, !$0.credentials.isEmpty, $0.isIncomplete)
        }
        if let failure = error as? DriftAnswer.Failure ?? refusal.map({ .reason($0) }) { return failure }
        let hasOwnPath = access?.paths[mocked.route.path.text] != nil
        return switch (error as? APIError)?.kind {
        case .status(401)?, .status(407)?, .authorization?: .reason(.credentials)
        case .status(let status)? where isIncomplete && [400, 406, 412, 422, 428].contains(status): .reason(.changed)
        case .status(502)?, .status(503)?, .status(504)?: .reason(.noAnswer)
        case .status(403)? where !hasCredentials: .reason(.credentials)
        case .status(429)?: .reason(.limited)
        case .invalidRoute?: .reason(.otherHost)
        case .status(let status)? where [404, 410].contains(status) && !hasOwnPath && mocked.route.hasArguments:
            .reason(.noObject)
        case .status(let status)?: .status(status)
        default: .reason(.noAnswer)
        }
    }

    private func send(_ access: DriftAccess?) async throws -> Response<Data> {
        var (route, configuration) = (mocked.route, mocked.configuration)
        (configuration.observers, route.configure, route.mock) = ([self], nil, Self.mark)
        for name in Self.conditions { (route.headers[name], configuration.headers[name]) = (nil, nil) }
        if isOfTest {
            add(given, to: &route)
            configuration.headers = configuration.headers.following(authorization: [], withoutKeys: false)
            route.headers = route.headers.following(authorization: [], withoutKeys: false)
        }
        if let path = access?.paths[route.path.text] { route.path = RoutePath(raw: path) }
        if let authorize = access?.authorize {
            // Inside the call, so that its limit of time counts.
            configuration.authorization = .dynamic { [run, live] in
                try await run.authorization(access?.account ?? "", in: live, authorize)
            }
        }
        // A stream of events is asked for as `APIClient.events(_:)` does.
        if route.headers[.accept] == nil,
            mocked.response?.headers[.contentType]?.begins(with: "text/event-stream") == true
        {
            route.headers[.accept] = "text/event-stream"
        }
        route.retry = RetryPolicy(maximumRetryAfter: .seconds(10))
        route.retry?.statuses = [429, 503]
        (route.timeout, route.acceptedStatuses) = (DriftRun.limit, .success)
        let type = mocked.call?.decodedType ?? mocked.route.responseType ?? JSONValue.self
        // In a chosen environment, a client sends none but the credentials of that environment.
        let isForeign = isOfTest && access?.authorize == nil
        let scope = APIScope(environment: isForeign ? live.markedAsChosen : live, network: .live)
        return try await Authorization.$isBesideTest.withValue(isForeign) {
            try await scope.with { $0.transport = self }.run {
                let client = try Self.client(configuration)
                let answer: Response<Data> = try await client.response(to: client.open(route, decoding: type))
                if answer.data.count <= Recording.largestSearched { return answer }
                // It cannot be searched for secrets.
                throw DriftAnswer.Failure.reason(.tooLarge)
            }
        }
    }

    /// Adds the harmless headers that code has given the test's request.
    private func add(_ given: URLRequest?, to route: inout Route) {
        guard let plain else { return }
        for (name, value) in given?.allHTTPHeaderFields ?? [:] {
            let name = HTTPHeaders.Name(rawValue: name)
            if plain.value(forHTTPHeaderField: name.rawValue) == value { continue }
            if Self.isHarmless(name) { route.headers[name] = value } else { state.withLock { $0.isIncomplete = true } }
        }
    }

    /// The type that tells which keys the app reads: that of the call, or else of its route; nil for any JSON.
    private var model: (any (Decodable & Sendable).Type)? {
        let decoded = mocked.call?.decodedType.flatMap { BodyForm($0) == .decoded ? $0 : nil }
        let type = decoded as? any (Decodable & Sendable).Type ?? mocked.route.responseType
        return type == JSONValue.self ? nil : type
    }

    private func note(_ differences: [String], of key: String) -> [MockFinding] {
        let redactor = SecretRedactor(live, credentials: state.withLock { $0.credentials })
        let route = redactor.shown("\(mocked.route.method) \(mocked.route.pathWithoutArguments)")
        let read = DriftReport.Read(
            mock: mocked.mock.rawValue, route: route, recorded: mocked.recorded,
            differences: differences.map(redactor.shown))
        let file =
            if case .mock(let file?)? = mocked.response?.source { FilePath.display(file) } else { mocked.mock.rawValue }
        return run.add(read, of: key).map { difference in
            MockFinding(
                .drift, mock: mocked.mock.rawValue,
                FileProblem(
                    path: file, message: "\(route): \(difference)",
                    fix: "record it again with MOCKS=record:\(live.name), and correct the model"))
        }
    }

    // MARK: The transport

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        guard route.mock == Self.mark else {
            try barrier.check(request)
            return try await Self.network.send(request, for: route)
        }
        let refusal = barrier.refusal(of: request, knowing: secrets)
        state.withLock { ($0.refusal, $0.isSent) = (refusal, refusal == nil) }
        if let refusal { throw APIError(.transport, "not sent to \(live.name): \(refusal.rawValue)") }
        let transport = isOfTest ? Self.network : mocked.configuration.transport ?? Self.network
        let response = try await transport.send(request, for: route)
        state.withLock { $0.isSent = false }
        return response
    }

    func finished(_ call: LoggedCall) {
        let found = CallCredentials(call.record).found
        state.withLock { $0.credentials += found }
    }
}

/// What a server has answered to a read.
struct DriftAnswer: Sendable {
    enum Failure: Error {
        case status(Int)
        case reason(DriftReport.Reason)
    }

    let result: Result<Response<Data>, Failure>
    /// True if a server was asked.
    var isSent = false
    var credentials: [String] = []
}

extension Route {
    /// True if a segment of the path is a value.
    fileprivate var hasArguments: Bool { pathWithoutArguments.contains("…") }

    /// The path with `…` in place of the values: `/users/…`.
    fileprivate var pathWithoutArguments: String {
        let payload = origin.map { Mirror(reflecting: $0).children.flatMap { RouteName.values(in: $0.value) } } ?? []
        let values = Set(payload.map { "\($0.value)".lowercased() })
        let segments = path.text.prefix(before: "?").parts(between: "/")
        func isValue(_ segment: Substring) -> Bool {
            let text = segment.removingPercentEncoding ?? String(segment)
            return !text.isEmpty && (values.contains(text.lowercased()) || !text.isWord)
        }
        // The text of some values differs from that in the path: any but the first segment may be one.
        let hidesAll = !payload.isEmpty && !segments.contains(where: isValue)
        return segments.enumerated().map { index, segment in
            isValue(segment) || hidesAll && index > 0 ? "…" : String(segment)
        }.joined(separator: "/").withLeadingSlash
    }
}

extension String {
    /// True for `users`, `v1` and `oauth2`, and false for numbers, identifiers and addresses.
    fileprivate var isWord: Bool {
        utf8.count <= 32 && utf8.filter(\.isASCIIDigit).count < 3 && utf8.contains(where: \.isASCIILetter)
            && hasOnly { $0.isASCIILetter || $0.isASCIIDigit || $0.isOne(of: "-_.~") }
    }

    fileprivate var withLeadingSlash: String { begins(with: "/") ? self : "/\(self)" }
}
