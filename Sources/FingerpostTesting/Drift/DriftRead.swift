import Fingerpost
import FingerpostFiles
import FingerpostMocks

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// A read whose mock is compared with the answer of a server. It is sent in a scope of its own, so no test hears of it.
///
/// This object is the transport of its call: whatever the client, middleware and redirects make of the request, nothing
/// is sent but reads, and to none but the servers of the environment.
final class DriftRead: Transport, CallObserver {
    private struct State {
        /// True once a server got the request.
        var isSent = false
        var refusal: DriftReport.Reason?
        /// The credentials in the requests and in the answers, which no report may show.
        var credentials: [String] = []
    }

    private static let methods: Set<HTTPMethod> = [.get, .head, .options]
    /// With them, the answer would depend on what a test has received before.
    private static let conditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]
    private static let network = URLSessionTransport()

    private let mocked: MockedCall
    private let live: Environment
    private let run: DriftRun
    private let transport: any Transport
    private let origins: Set<Origin>
    private let state = Locked(State())

    init(_ mocked: MockedCall, _ live: Environment, in run: DriftRun) {
        (self.mocked, self.live, self.run) = (mocked, live, run)
        transport = mocked.configuration.transport ?? Self.network
        origins = Set(live.baseURLs.values.compactMap { URL(string: $0.prefix) }.map(Origin.init))
    }

    /// Why the read is not sent, as far as that is known before; nil if it is.
    var objection: DriftReport.Reason? {
        if mocked.isChosen { return .chosen }
        if !Self.methods.contains(mocked.route.method) { return .write }
        if mocked.configuration.baseURL != nil { return .otherHost }
        if mocked.response?.isSuccess != true { return .failure }
        let items = mocked.call?.record.request?.url.flatMap {
            URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems
        }
        // The number of a page is the same on any server.
        let isAtCursor = (items ?? []).contains { item in
            mocked.route.pageItems?.contains(item.name) == true && item.value.map { Int64($0) == nil } ?? true
        }
        return isAtCursor ? .cursor : nil
    }

    /// Asks the server.
    ///
    /// - Parameter access: what `.drift` says; nil for the client's authorization.
    /// - Returns: the differences that are new in the run.
    func compare(_ access: DriftAccess?) async -> [MockFinding] {
        guard let mock = mocked.response else { return [] }
        var route = mocked.route
        let path = access?.paths[route.path.text]
        if let path { route.path = RoutePath(raw: path) }
        do {
            let answer = try await answer(to: route, by: run.authorization(access, in: live))
            // Middleware can answer in the server's place.
            guard state.withLock({ $0.isSent }) else { throw CancellationError() }
            let comparison = DriftComparison(route: route, type: model, configuration: mocked.configuration)
            return note(comparison.differences(from: mock, to: answer))
        } catch {
            let refusal = state.withLock { $0.refusal }
            var reason = refusal ?? .noAnswer
            switch (error as? APIError)?.kind {
            case _ where refusal != nil: break
            case .status(401)?, .authorization?: reason = .credentials
            case .status(let status)? where [404, 410].contains(status) && path == nil && route.hasArguments:
                reason = .noObject
            case .status(let status)? where status != 429:
                return note(["the status is \(status), not \(mock.status)"])
            default: break
            }
            run.add(DriftReport(reason))
            return []
        }
    }

    private func answer(to route: Route, by authorization: Authorization?) async throws -> Response<Data> {
        var (route, configuration) = (route, mocked.configuration)
        (configuration.environment, configuration.baseURL, configuration.transport) = (live, nil, self)
        (configuration.observers, configuration.retryRule) = ([self], nil)
        configuration.middleware.removeAll { $0 is any Recorder }
        if let authorization {
            configuration.authorization = authorization
            (configuration.headers[.authorization], route.headers[.authorization]) = (nil, nil)
        }
        // A feed is asked for as `APIClient.events(_:)` does.
        if route.headers[.accept] == nil,
            mocked.response?.headers[.contentType]?.begins(with: "text/event-stream") == true
        {
            route.headers[.accept] = "text/event-stream"
        }
        route.retry = RetryPolicy(maximumRetryAfter: .seconds(10))
        route.retry?.statuses = [429, 503]
        route.timeout = .seconds(30)
        let type = mocked.call?.decodedType ?? mocked.route.responseType ?? JSONValue.self
        return try await Authorization.$isBesideTest.withValue(mocked.call != nil && authorization == nil) {
            try await APIScope(environment: live, network: .live).run {
                let client = try APIClient(configuration)
                let answer: Response<Data> = try await client.response(to: client.open(route, decoding: type))
                if answer.data.count <= Recording.largestSearched { return answer }
                throw APIError(.transport, "the body is too large to be searched for secrets")
            }
        }
    }

    /// The type that tells which keys the app reads: that of the call, or else of its route; nil for any JSON.
    private var model: (any (Decodable & Sendable).Type)? {
        let decoded = mocked.call?.decodedType.flatMap { BodyForm($0) == .decoded ? $0 : nil }
        let type = decoded as? any (Decodable & Sendable).Type ?? mocked.route.responseType
        return type == JSONValue.self ? nil : type
    }

    private func note(_ differences: [String]) -> [MockFinding] {
        let redactor = SecretRedactor(live, credentials: state.withLock { $0.credentials })
        let path = mocked.route.path.text.prefix(before: "?")
        let route = redactor.shown("\(mocked.route.method) \(path.begins(with: "/") ? "" : "/")\(path)")
        let read = DriftReport.Read(
            route: route, recorded: mocked.recorded, differences: differences.map(redactor.shown))
        let file =
            if case .mock(let file?)? = mocked.response?.source { FilePath.display(file) } else { mocked.mock.rawValue }
        return run.add(read, of: mocked.mock.rawValue).map { difference in
            MockFinding(
                .drift, mock: mocked.mock.rawValue,
                FileProblem(
                    path: file, message: "\(route): \(difference)",
                    fix: "record it again with MOCKS=record:\(live.name), and correct the model"))
        }
    }

    // MARK: The transport

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        var request = request
        for name in Self.conditions { request.setValue(nil, forHTTPHeaderField: name) }
        let (method, url) = (request.httpMethod ?? "GET", request.url)
        let headers = (request.allHTTPHeaderFields ?? [:]).map { "\($0): \($1)" }.ordered(by: <)
        let key = ([method, url?.absoluteString ?? ""] + headers).joined(separator: "\n")
        let refusal = state.withLock { state in
            if !Self.methods.contains(HTTPMethod(rawValue: method)) {
                state.refusal = .write
            } else if !(url.map { origins.contains(Origin($0)) } ?? false) {
                state.refusal = .otherHost
            } else {
                // The call may have to send it again.
                state.refusal = state.isSent || run.isNew(key) ? nil : .same
                state.isSent = state.isSent || state.refusal == nil
            }
            return state.refusal
        }
        if let refusal { throw APIError(.transport, "not sent to \(live.name): \(refusal.rawValue)") }
        return try await transport.send(request, for: route)
    }

    func finished(_ call: LoggedCall) {
        let found = CallCredentials(call.record).found
        state.withLock { $0.credentials += found }
    }
}

extension Route {
    /// True if a segment of the path is a value of the router's case, or has a digit and is no version.
    fileprivate var hasArguments: Bool {
        let payload = origin.map { Mirror(reflecting: $0).children.flatMap { RouteName.values(in: $0.value) } } ?? []
        let values = Set(payload.map { "\($0.value)" })
        return path.text.prefix(before: "?").parts(between: "/").contains { segment in
            values.contains(segment.removingPercentEncoding ?? "")
                || !segment.begins(with: "v") && segment.utf8.contains(where: \.isASCIIDigit)
        }
    }
}
