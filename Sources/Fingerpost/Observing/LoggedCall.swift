import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// One call in the log of a scope, or for a ``CallObserver``: its route, the request and the outcome. See
/// `Mocks.calls`.
public struct LoggedCall: Sendable {
    /// The facts about a call. The facts are stored behind a reference, because tests copy and filter lists of calls.
    private final class Contents: Sendable {
        let record: CallRecord
        /// The facts at the time when the log was read, or when the call ended.
        let facts: CallRecord.Facts
        // The following properties are set for observers, which receive the call after it has ended. These properties
        // are nil for a call in the log of a scope.
        let secrets: CallSecrets?
        let duration: Duration?
        let responseSize: Int64?

        init(
            _ record: CallRecord, _ facts: CallRecord.Facts, _ secrets: CallSecrets? = nil,
            duration: Duration? = nil, responseSize: Int64? = nil
        ) {
            (self.record, self.facts, self.secrets) = (record, facts, secrets)
            (self.duration, self.responseSize) = (duration, responseSize)
        }
    }

    private let contents: Contents
    /// The record of the call, with its secrets. While observers are notified, the record still contains all requests
    /// and responses.
    package var record: CallRecord { contents.record }
    private var facts: CallRecord.Facts { contents.facts }

    /// Creates a call for the log of a scope.
    package init(_ record: CallRecord) {
        contents = Contents(record, record.facts)
    }

    /// Creates a call for its observers, without secrets.
    init(_ record: CallRecord, duration: Duration, responseSize: Int64?) {
        var facts = record.facts
        let secrets = record.secrets(facts)
        // An observer may keep the call for a long time.
        facts.release()
        facts.error = facts.error?.withoutContents(secrets)
        contents = Contents(record, facts, secrets, duration: duration, responseSize: responseSize)
    }

    /// The last request sent; before any request is sent, the request that was built. If no request could be built, the
    /// value is a request without a URL, and ``error`` contains the reason. For a ``CallObserver``, the request has no
    /// body, and contains `<redacted>` in place of credentials.
    public var request: URLRequest {
        let shown = if let secrets = contents.secrets { sent?.redacted(secrets.withoutNamed) } else { sent }
        return shown ?? record.route.unsent
    }

    private var sent: URLRequest? { facts.last }

    /// How long the call took, measured with the scope's clock; nil while the call is in progress. For a stream, this
    /// is the time until the stream ends.
    public var duration: Duration? { contents.duration ?? ended.map { $0 - started } }

    /// The size of the response's body in bytes, after decompression; nil in the log of a scope, and for a call without
    /// a response.
    var responseSize: Int64? { contents.responseSize }

    /// How often the request was sent, including redirects and retries.
    public var attempts: Int { facts.attempts }

    /// Whether the network or a mock answered; nil when the call has no response.
    public var source: ResponseSource? { facts.source }

    /// The status of the response; nil when the call has no response.
    public var status: Int? { facts.status }

    /// Why the call failed; nil if the call succeeded or is still in progress. For a ``CallObserver``, the body and the
    /// underlying error are removed from this error, because they are not redacted.
    public var error: APIError? { facts.error }

    /// The start of the call, as the time since the scope was created, measured with the scope's clock.
    var started: Duration { record.started }

    /// When the response arrived, a stream ended, or the call failed, measured with the scope's clock; nil while the
    /// call is in progress.
    package var ended: Duration? { facts.ended }

    /// The type that the call decodes; `Data` if the call returns the body. The property is nil until the response is
    /// decoded. A test fails if the route's ``Routable/responseType`` is another type.
    package var decodedType: Any.Type? { facts.decodedType }

    /// One ``Attempt`` for each time the request was sent, in order; empty while the call is in progress.
    public var history: [Attempt] {
        if let error { return error.history }
        guard duration != nil else { return [] }
        let secrets = secrets
        return facts.history.map { $0.mapTexts(secrets.hide) }
    }

    /// A shell command that sends the last request with `curl`, with a variable such as `$TOKEN` in place of each
    /// secret; nil if no request could be built. See ``APIError/curl``.
    public var curl: String? { sent.map { CurlCommand($0, secrets).text } }

    /// The name of the mock that answered. If no mock answered, the property returns the name of the mock that the
    /// route sets, or else ``route``.
    public var name: String {
        if let mock = facts.mock ?? record.route.mock, !mock.isUnmocked { return mock.rawValue }
        return route
    }

    /// The method, the path and the outcome in one line, without secrets: `GET users/octocat 200`. To check all calls
    /// of a test in one expectation, compare their lines. If the expectation fails, its message contains all calls:
    ///
    /// ```swift
    /// #expect(Mocks.calls.map(\.line) == ["POST login 401", "POST login 200", "GET users/octocat 200"])
    /// ```
    ///
    /// The path is the path of the route, with the query that was sent. The outcome is the status of the last attempt,
    /// such as 206 for a resumed download. If the call failed, but not because of its status, the outcome is the kind
    /// of the error, as in `GET users/octocat timed out`. Before there is a response or an error, the outcome is `in
    /// progress`.
    public var line: String {
        let method = sent?.httpMethod ?? record.route.method.rawValue
        let outcome =
            switch error?.kind {
            case .status(let status)?: "\(status)"
            case let kind?: "\(kind)"
            case nil: (facts.part ?? status).map { "\($0)" } ?? "in progress"
            }
        return "\(secrets.hide(method).printable) \(path) \(outcome)"
    }

    /// The route's path with the query that was sent, without secrets.
    private var path: String {
        var path = record.route.path.text
        // The URL of a redirect does not belong to the route.
        if facts.redirector == nil, let query = sent?.url?.absoluteString.cut(at: "?")?.after {
            path = "\(path.prefix(before: "?"))?\(query)"
        }
        return secrets.hide(Redaction.url(path)).printable
    }

    /// True if a mock has answered.
    package var isMocked: Bool { facts.mock != nil }

    /// True after the last change of the call.
    package var isOver: Bool { facts.isOver }

    /// The name of the route: ``Route/name``, without secrets. Use ``name`` to find the calls of a mock.
    public var route: String { secrets.hide(record.route.name).printable }

    private var secrets: CallSecrets { contents.secrets ?? record.secrets(facts) }
}

extension LoggedCall: CustomStringConvertible {
    /// The route and the outcome, such as `API.user → 200`.
    public var description: String {
        let outcome = error.map { "\($0.kind)" } ?? status.map { "\($0)" } ?? "under way"
        return "\(route) → \(outcome)"
    }
}

extension LoggedCall: CustomReflectable {
    /// The properties of the call, with credentials redacted.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": secrets.hide(name), "route": route,
                "request": sent.map { secrets.hide(Redaction.request($0)) } as Any, "source": source as Any,
                "status": status as Any, "error": error as Any, "history": history, "started": started,
                "ended": ended as Any,
                "decodedType": decodedType as Any,
            ], displayStyle: .struct)
    }
}

extension Route {
    /// A request without a URL, for a route from which no request could be built.
    fileprivate var unsent: URLRequest {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        (request.url, request.httpMethod) = (nil, method.rawValue)
        return request
    }
}

extension URLRequest {
    /// Returns a copy without credentials and without a body. Returns nil if the redacted URL is invalid.
    ///
    /// - Parameter hide: removes secrets from the URL and from the values of headers.
    func redacted(_ hide: (String) -> String) -> URLRequest? {
        let text = hide(Redaction.url(url?.absoluteString ?? ""))
        // A placeholder contains characters that are invalid in a URL.
        let escapes = ["<": "%3C", ">": "%3E", " ": "%20"]
        guard let url = URL(string: escapes.reduce(text) { $0.replacing(bytesOf: $1.key, with: $1.value) }) else {
            return nil
        }
        var request = URLRequest(url: url, cachePolicy: cachePolicy, timeoutInterval: timeoutInterval)
        request.httpMethod = httpMethod
        for (name, value) in allHTTPHeaderFields ?? [:] {
            let shown = SensitiveName.isHeader(name) ? SensitiveName.placeholder : hide(value)
            request.setValue(shown, forHTTPHeaderField: name)
        }
        return request
    }
}
