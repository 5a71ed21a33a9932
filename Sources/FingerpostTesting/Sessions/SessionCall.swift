import Fingerpost
import FingerpostFiles
import FingerpostMocks
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers one request of a session: finds the mock, then sends a call with a client that has no rules of its own.
struct SessionCall: Sendable {
    private let request: URLRequest
    private let type: SessionProtocol.Type
    /// The error for a request that mocks cannot answer on this platform.
    private let refusal: APIError?
    /// The text that follows the name of the call in the log.
    private let note: String?

    init(_ request: URLRequest, of task: URLSessionTask?, by type: SessionProtocol.Type) {
        (self.request, self.type) = (request, type)
        #if canImport(FoundationNetworking)
            refusal = task is URLSessionDownloadTask ? .download : nil
            let isUnseen = !request.hasBody && task is URLSessionUploadTask
            note = isUnseen ? " (an upload task, whose body Foundation does not show on Linux)" : nil
        #else
            (refusal, note) = (nil, nil)
        #endif
    }

    /// All rules of the client are turned off, because the app's own client decides about retries, redirects, statuses
    /// and authorization. The client is created outside of any scope, because all scopes use this client.
    private static let client = APIScope.$current.withValue(nil) {
        APIClient(baseURL: RequestSearch.noServer) { $0.headers = [:] }
    }

    func run(into delivery: SessionDelivery) async {
        let sink = SessionSink(request, delivery)
        do {
            try await send(into: sink)
            sink.finish()
        } catch {
            let error = urlError(for: APIError(transport: error))
            delivery.perform { client, loading in client.urlProtocol(loading, didFailWithError: error) }
        }
    }

    private func send(into sink: SessionSink) async throws {
        let line = "\(request.httpMethod ?? "GET") \(Redaction.url(request.url?.absoluteString ?? ""))"
        // A query may contain secrets, so the query is not shown before the scope is known.
        let (owner, scope) = try SessionRegistry.owner(of: type, for: String(line.prefix(before: "?")))
        var (request, refusal) = (request, refusal)
        do { request = try await complete(by: owner.configuration) } catch { refusal = APIError(transport: error) }
        guard let url = request.url else { throw URLError(.badURL) }
        let method = request.httpMethod ?? "GET"
        // A route cannot express some requests. RequestSearch refuses these requests.
        let isUsual =
            ["http", "https"].contains(url.scheme?.lowercased()) && url.host?.isEmpty == false
            && HTTPSyntax.isToken(method) && HTTPSyntax.problem(ofMethod: method) == nil
        var route = Route(method: isUsual ? HTTPMethod(rawValue: method) : .get, path: isUsual ? RoutePath(url) : "/")
        (route.authorization, route.redirects, route.acceptedStatuses) = (.none, .manual, .all)
        (route.retry, route.timeout) = (.off, timeout(in: owner.configuration))
        if note != nil || !isUsual { route = route.named(line + (note ?? "")) }
        var baseURL: String?
        do throws(APIError) {
            if let refusal { throw refusal }
            // If the environment could not be loaded, the client reports the error.
            if scope.settings.failure == nil {
                let found = try RequestSearch(owner, scope).mock(for: request, url)
                (route.mock, baseURL) = (found.mock, found.baseURL)
            }
            route.configure = { [request] in $0 = request }
        } catch {
            // The call fails in the scope, so the log contains the request, and the test fails.
            route.configure = { _ in throw error }
        }
        _ = try await HeaderPlaceholders.$baseURL.withValue(baseURL) {
            try await Self.client.with(scope: scope).transfer(route, by: sink)
        }
    }

    /// Returns the request with its body and with the headers of the session.
    private func complete(by configuration: URLSessionConfiguration) async throws -> URLRequest {
        var request = request
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            // On Linux, Foundation does not add the headers of the configuration to the request.
            if let name = name as? String, request.value(forHTTPHeaderField: name) == nil {
                request.setValue("\(value)", forHTTPHeaderField: name)
            }
        }
        for name in ["Content-Length", "Host", "Transfer-Encoding"] {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        // The user and the password of a URL are removed, because a session uses them only for authentication
        // challenges and does not send them in the URL.
        if let url = request.url, url.user != nil || url.password != nil,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        {
            (parts.user, parts.password) = (nil, nil)
            request.url = parts.url
        }
        // On Apple platforms, a `URLProtocol` always receives the body as a stream.
        if let stream = request.httpBodyStream { request.httpBody = try await stream.allBytes() }
        return request
    }

    /// Returns the call's timeout: the request's timeout, or else the session's timeout. The result is at most the
    /// session's timeout for resources.
    private func timeout(in configuration: URLSessionConfiguration) -> Duration {
        let standard = 60.0
        func time(_ seconds: TimeInterval) -> TimeInterval? { seconds > 0 && seconds.isFinite ? seconds : nil }
        let own = request.timeoutInterval == standard ? nil : time(request.timeoutInterval)
        let idle = own ?? time(configuration.timeoutIntervalForRequest) ?? standard
        let longest = min(idle, time(configuration.timeoutIntervalForResource) ?? idle, 1_000_000_000)
        // A route's timeout must be more than zero.
        return .seconds(max(longest, 0.001))
    }

    /// Converts an error that the test reports to an error for the app. The error code is the one that the app would
    /// get from a call to a server. The error text stays the same.
    private func urlError(for error: APIError) -> URLError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: error.description]
        if let url = request.url { info[NSURLErrorFailingURLErrorKey] = url }
        let code: URLError.Code
        switch error.kind {
        case _ where refusal != nil: code = .unsupportedURL
        case _ where error.underlying is URLError: code = (error.underlying as? URLError)?.code ?? .unknown
        case .timedOut: code = .timedOut
        case .cancelled: code = .cancelled
        // For a GET or HEAD request with a body, URLSession itself reports `dataLengthExceedsMaximum`.
        case .invalidRoute:
            let isForbidden = request.hasBody && ["GET", "HEAD"].contains(request.httpMethod)
            code = isForbidden ? .dataLengthExceedsMaximum : .badURL
        case .mock, .environment: code = .resourceUnavailable
        default: code = .unknown
        }
        return URLError(code, userInfo: info)
    }
}

/// Passes a mock's answer to the client of a session.
private final class SessionSink: CallSink {
    private struct State {
        var head: Response<Void>?
        /// The body, on platforms on which the whole body is delivered in one piece.
        var body = Data()
    }

    private let request: URLRequest
    private let delivery: SessionDelivery
    private let state = Locked(State())

    init(_ request: URLRequest, _ delivery: SessionDelivery) { (self.request, self.delivery) = (request, delivery) }

    #if canImport(FoundationNetworking)
        /// On Linux, `data(for:)` returns only the last piece of a body, so the body is delivered in one piece.
        private static let isInPieces = false
    #else
        private static let isInPieces = true
    #endif

    var takesFailures: Bool { true }

    var pace: (any BodyPace)? { Self.isInPieces ? EagerPace() : nil }

    func begin(_ head: Response<Void>) throws {
        guard let response = Self.httpResponse(head, to: request) else {
            throw APIError(.mock, "\(head.status) is not a status that a response can have", fix: "correct the mock")
        }
        state.withLock { $0.head = head }
        if let next = Self.redirected(request, by: head) {
            delivery.perform { client, loading in
                client.urlProtocol(loading, wasRedirectedTo: next, redirectResponse: response)
            }
        }
        // The response of a redirect is delivered too, because the app may refuse the redirect. If the app follows the
        // redirect, the session stops this loading.
        delivery.perform { client, loading in
            client.urlProtocol(loading, didReceive: response, cacheStoragePolicy: .notAllowed)
        }
    }

    func receive(_ bytes: Data) {
        let hasBody = state.withLock { state in
            guard let status = state.head?.status, request.httpMethod != "HEAD", status != 204, status != 304,
                !bytes.isEmpty
            else { return false }
            if !Self.isInPieces { state.body += bytes }
            return true
        }
        if hasBody, Self.isInPieces { load(bytes) }
    }

    /// Delivers the part of the body that arrived before the connection was lost.
    func discard() { loadRest() }

    func finish() {
        loadRest()
        delivery.perform { client, loading in client.urlProtocolDidFinishLoading(loading) }
    }

    private func loadRest() {
        let rest = state.withLock { state in
            defer { state.body = Data() }
            return state.body
        }
        if !rest.isEmpty { load(rest) }
    }

    private func load(_ bytes: Data) {
        delivery.perform { client, loading in client.urlProtocol(loading, didLoad: bytes) }
    }

    private static func httpResponse(_ head: Response<Void>, to request: URLRequest) -> HTTPURLResponse? {
        guard let url = request.url, (100...999).contains(head.status) else { return nil }
        var fields: [HTTPHeaders.Name: String] = [:]
        for field in head.headers {
            #if canImport(FoundationNetworking)
                // On Linux, Foundation would answer a challenge with another request that bypasses this class.
                if head.status == 401, field.name == "WWW-Authenticate" { continue }
            #endif
            fields[field.name] = fields[field.name].map { "\($0), \(field.value)" } ?? field.value
        }
        return HTTPURLResponse(
            url: url, statusCode: head.status, httpVersion: "HTTP/1.1",
            headerFields: Dictionary(uniqueKeysWithValues: fields.map { ($0.key.rawValue, $0.value) }))
    }

    /// Returns the request that a redirect leads to, or nil for other responses. On Linux, the result is always nil,
    /// because the function that reports a redirect crashes the process. On Linux, the app therefore receives the
    /// redirect itself as the response.
    private static func redirected(_ request: URLRequest, by head: Response<Void>) -> URLRequest? {
        #if canImport(FoundationNetworking)
            return nil
        #else
            guard [301, 302, 303, 307, 308].contains(head.status), let url = request.url,
                let next = head.headers["Location"].flatMap({ URL(string: $0, relativeTo: url)?.absoluteURL })
            else { return nil }
            var redirected = request
            redirected.url = next
            let isPost = request.httpMethod == "POST"
            if head.status == 303 && request.httpMethod != "HEAD" || head.status < 303 && isPost {
                redirected.httpMethod = "GET"
                (redirected.httpBody, redirected.httpBodyStream) = (nil, nil)
                redirected.setValue(nil, forHTTPHeaderField: "Content-Type")
            }
            if Origin(next) != Origin(url) { redirected.setValue(nil, forHTTPHeaderField: "Authorization") }
            return redirected
        #endif
    }
}

/// Lets the session receive every piece immediately.
private final class EagerPace: BodyPace {
    var isFull: Bool { false }

    var held: ContinuousClock.Instant? { nil }

    func hold(_ resume: @escaping @Sendable () -> Void) -> Bool { false }

    func wanted() {}
}

extension URLRequest {
    fileprivate var hasBody: Bool { httpBody != nil || httpBodyStream != nil }
}

extension InputStream {
    /// Reads the stream to its end on a background thread.
    ///
    /// - Throws: `URLError` if the stream cannot be read.
    fileprivate func allBytes() async throws -> Data {
        // No other code reads the body stream of a request that this library answers.
        nonisolated(unsafe) let stream = self
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                stream.open()
                defer { stream.close() }
                var (data, buffer) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
                var count = 0
                repeat {
                    count = stream.read(&buffer, maxLength: buffer.count)
                    if count > 0 { data.append(contentsOf: buffer[..<count]) }
                } while count > 0
                // On Linux, reading `streamError` crashes the process for some streams.
                continuation.resume(
                    with: count == 0 ? .success(data) : .failure(URLError(.requestBodyStreamExhausted)))
            }
        }
    }
}

extension APIError {
    /// On Linux, the process crashes if a `URLProtocol` answers a download task.
    fileprivate static let download = APIError(
        .mock, "mocks cannot answer download tasks on Linux; nothing was sent",
        fix: "load the file with a data task in tests on Linux, or run this test on Apple platforms alone")
}
