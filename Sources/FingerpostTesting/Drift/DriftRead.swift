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
/// None of the test's code runs for it: no middleware, no `configure` and no transport of the client, which could write
/// into the stores of the test, or to another server. What they added to the test's request is repeated, without
/// credentials. The closures of an authorization do run; ``DriftGuard`` keeps their calls at the environment's servers.
final class DriftRead: Transport, CallObserver {
    private struct State {
        var refusal: DriftReport.Reason?
        /// The credentials in the requests and in the responses, which no report may show.
        var credentials: [String] = []
    }

    /// With them, the response would depend on what a test has received before.
    private static let conditions: Set<HTTPHeaders.Name> = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]
    private static let network = URLSessionTransport()

    private let mocked: MockedCall
    private let live: Environment
    private let run: DriftRun
    private let barrier: DriftGuard
    private let state = Locked(State())

    init(_ mocked: MockedCall, _ live: Environment, in run: DriftRun) {
        (self.mocked, self.live, self.run, barrier) = (mocked, live, run, DriftGuard(live))
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
        let environment = mocked.call?.record.environment
        let base = environment?.baseURLs[route.baseURLKey ?? configuration.baseURLKey]
        return try? route.urlRequest(
            relativeTo: base.flatMap { URL(string: $0.prefix) }, lookup: .environment(environment),
            dialect: configuration.dialect)
    }

    /// Asks the server, and compares its response with that of the mock.
    ///
    /// - Parameter access: what `.drift` says; nil for the client's authorization.
    /// - Returns: the differences that are new in the run.
    func compare(_ access: DriftAccess?) async -> [MockFinding] {
        guard let mock = mocked.response else { return [] }
        let (answer, isFirst) = await run.answer(to: key(access)) { await self.answer(access) }
        state.withLock { $0.credentials += answer.credentials }
        switch answer.result {
        case .success(let response):
            let comparison = DriftComparison(route: mocked.route, type: model, configuration: mocked.configuration)
            return note(comparison.differences(from: mock, to: response), isFirst: isFirst)
        case .failure(.status(let status)):
            return note(["the status is \(status), not \(mock.status)"], isFirst: isFirst)
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
        return DriftAnswer(result: result, credentials: state.withLock { $0.credentials })
    }

    private func failure(_ error: any Error, _ access: DriftAccess?) -> DriftAnswer.Failure {
        if let refusal = state.withLock({ $0.refusal }) { return .reason(refusal) }
        let hasOwnPath = access?.paths[mocked.route.path.text] != nil
        return switch (error as? APIError)?.kind {
        case .status(401)?, .authorization?: .reason(.credentials)
        case .invalidRoute?: .reason(.otherHost)
        case .status(404)? where !hasOwnPath && mocked.route.hasArguments: .reason(.noObject)
        case .status(410)? where !hasOwnPath && mocked.route.hasArguments: .reason(.noObject)
        case .status(let status)? where status != 429: .status(status)
        default: .reason(.noAnswer)
        }
    }

    private func send(_ access: DriftAccess?) async throws -> Response<Data> {
        var (route, configuration) = (mocked.route, mocked.configuration)
        (configuration.environment, configuration.baseURL, configuration.transport) = (nil, nil, self)
        (configuration.observers, configuration.retryRule, configuration.validate) = ([self], nil, nil)
        (configuration.middleware, configuration.configure, route.configure) = ([], nil, nil)
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
            try await scope.with { $0.recorder = barrier }.run {
                let client = try APIClient(configuration)
                let answer: Response<Data> = try await client.response(to: client.open(route, decoding: type))
                if answer.data.count <= Recording.largestSearched { return answer }
                throw APIError(.transport, "the body is too large to be searched for secrets")
            }
        }
    }

    /// Adds the headers that code has given the test's request, without credentials and conditions.
    private func add(_ given: URLRequest?, to route: inout Route) {
        for name in Self.conditions { route.headers[name] = nil }
        guard let plain else { return }
        for (name, value) in given?.allHTTPHeaderFields ?? [:] {
            let name = HTTPHeaders.Name(rawValue: name)
            let isKnown = mocked.configuration.headers.contains(name) || Self.conditions.contains(name)
            if !isKnown, plain.value(forHTTPHeaderField: name.rawValue) != value { route.headers[name] = value }
        }
    }

    /// The type that tells which keys the app reads: that of the call, or else of its route; nil for any JSON.
    private var model: (any (Decodable & Sendable).Type)? {
        let decoded = mocked.call?.decodedType.flatMap { BodyForm($0) == .decoded ? $0 : nil }
        let type = decoded as? any (Decodable & Sendable).Type ?? mocked.route.responseType
        return type == JSONValue.self ? nil : type
    }

    private func note(_ differences: [String], isFirst: Bool) -> [MockFinding] {
        let redactor = SecretRedactor(live, credentials: state.withLock { $0.credentials })
        let route = redactor.shown("\(mocked.route.method) \(mocked.route.pathWithoutArguments)")
        let read = DriftReport.Read(
            mock: mocked.mock.rawValue, route: route, recorded: mocked.recorded,
            differences: differences.map(redactor.shown))
        let file =
            if case .mock(let file?)? = mocked.response?.source { FilePath.display(file) } else { mocked.mock.rawValue }
        return run.add(read, isFirst: isFirst).map { difference in
            MockFinding(
                .drift, mock: mocked.mock.rawValue,
                FileProblem(
                    path: file, message: "\(route): \(difference)",
                    fix: "record it again with MOCKS=record:\(live.name), and correct the model"))
        }
    }

    // MARK: The transport

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        let refusal = barrier.refusal(of: request)
        state.withLock { $0.refusal = refusal }
        if let refusal { throw APIError(.transport, "not sent to \(live.name): \(refusal.rawValue)") }
        let transport = isOfTest ? Self.network : mocked.configuration.transport ?? Self.network
        return try await transport.send(request, for: route)
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
    var credentials: [String] = []
}

extension Route {
    /// True if a segment of the path is a value.
    fileprivate var hasArguments: Bool { pathWithoutArguments.contains("…") }

    /// The path with `…` in place of the values: `/users/…`.
    fileprivate var pathWithoutArguments: String {
        let payload = origin.map { Mirror(reflecting: $0).children.flatMap { RouteName.values(in: $0.value) } } ?? []
        let values = Set(payload.map { "\($0.value)" })
        let path = path.text.prefix(before: "?")
        return path.parts(between: "/").map { segment in
            let text = segment.removingPercentEncoding ?? String(segment)
            return text.isEmpty || !values.contains(text) && text.isWord ? String(segment) : "…"
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
