import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// One call in the log of a scope: its route, the request and the outcome. See ``Mocks/calls``.
public struct LoggedCall: Sendable {
    /// What is known of a call, behind a reference: tests copy and filter lists of calls.
    private final class Contents: Sendable {
        let record: CallRecord
        /// The facts at the time when the log was read.
        let facts: CallRecord.Facts
        /// What only the observers of a call receive, when it has ended; nil for a call in the log of a scope.
        let end: End?

        init(_ record: CallRecord, _ facts: CallRecord.Facts, end: End?) {
            self.record = record
            self.facts = facts
            self.end = end
        }
    }

    private let contents: Contents
    private var record: CallRecord { contents.record }
    private var facts: CallRecord.Facts { contents.facts }
    private var end: End? { contents.end }

    /// The end of a call, for its observers.
    struct End: Sendable {
        /// Knows all secrets of the call.
        let redactor: SecretRedactor
        let duration: Duration
        let responseSize: Int64?
    }

    /// - Parameter end: what the observers of the call receive; nil for the log of a scope.
    init(_ record: CallRecord, end: End? = nil) {
        var facts = record.facts
        // An observer may keep the call.
        if end != nil { facts.release() }
        contents = Contents(record, facts, end: end)
    }

    /// The last request sent; before any request is sent, the request that was built. If no request could be built,
    /// `request` is nil. For a ``CallObserver``, it has no body and no credentials: `<redacted>` is in their place.
    public var request: URLRequest? { end == nil ? sent : sent?.redacted(by: redactor) }

    private var sent: URLRequest? { facts.answered ?? facts.request }

    /// How long the call took, by the scope's clock, with the time until the end of a stream; nil while the call is in
    /// progress.
    public var duration: Duration? { end?.duration ?? ended.map { $0 - started } }

    /// The size of the response's body in bytes, after it was decompressed. Only a ``CallObserver`` receives it: it is
    /// nil in the log of a scope, and for a call without a response.
    public var responseSize: Int64? { end?.responseSize }

    /// How often the request was sent, including redirects and retries.
    public var attempts: Int { facts.attempts }

    /// Whether the network or a mock answered; nil when the call has no response.
    public var source: ResponseSource? { facts.source }

    /// The status of the response; nil when the call has no response.
    public var status: Int? { facts.status }

    /// Why the call's test must fail: no mock could answer, or one that did not break on purpose does not decode.
    package var problem: String? { facts.problem }

    /// Why the call failed; nil if the call succeeded or is still in progress. For a ``CallObserver``, the error has no
    /// body and no underlying error, because they are not redacted.
    public var error: APIError? { end == nil ? facts.error : facts.error?.withoutContents(redactor) }

    /// When the call started: the time since the scope was created, by the scope's clock.
    public var started: Duration { record.started }

    /// When the response arrived, a stream ended, or the call failed, by the scope's clock; nil while the call is in
    /// progress.
    public var ended: Duration? { facts.ended }

    /// The type that the call decodes; `Data` if the call returns the body. It is nil until the response is decoded. A
    /// test fails if the route's ``Routable/responseType`` is another type.
    public var decodedType: Any.Type? { facts.decodedType }

    /// Every time the request was sent, in order; empty while the call is in progress.
    public var history: [Attempt] {
        if let error { return error.history }
        guard ended != nil || end != nil else { return [] }
        let last = facts.timing.flatMap { timing in sent.map { Attempt($0, status: status, timing) } }
        return (facts.earlier + (last.map { [$0] } ?? [])).map { $0.mapTexts(redactor.redact) }
    }

    /// A line for a shell that sends the last request with `curl`, with a variable such as `$TOKEN` in place of each
    /// secret, as in ``APIError/curl``; nil if no request could be built.
    public var curl: String? {
        if end == nil, let curl = facts.error?.curl { return curl }
        return sent.map { CurlCommand($0, redactor).text }
    }

    /// The name of the mock that answered, or else of the mock that the route sets; if there is neither,
    /// ``route``.
    public var name: String {
        if let mock = facts.mock ?? record.route.mock, !mock.isUnmocked { return mock.rawValue }
        return route
    }

    /// The method, the path and the outcome in one line, without secrets: `GET users/octocat 200`. Compare lines to
    /// check in one expectation what a test sent; a failure then prints all calls:
    ///
    /// ```swift
    /// #expect(Mocks.calls.map(\.line) == ["POST login 401", "POST login 200", "GET users/octocat 200"])
    /// ```
    ///
    /// The path is as the route writes it, with the query that was sent. The outcome is the status of the last
    /// attempt, such as 206 for a download that went on, or else the kind of the error, as in
    /// `GET users/octocat timed out`, or `in progress`.
    public var line: String {
        let method = sent?.httpMethod ?? record.route.method.rawValue
        let outcome =
            switch error?.kind {
            case .status(let status)?: "\(status)"
            case let kind?: "\(kind)"
            case nil: (facts.part ?? status).map { "\($0)" } ?? "in progress"
            }
        return "\(redactor.redact(method).printable) \(path) \(outcome)"
    }

    /// The route's path with the query that was sent, without secrets.
    private var path: String {
        var path = record.route.path.text
        // The URL of a redirect is not that of the route.
        if facts.redirector == nil, let query = sent?.url?.absoluteString.cut(at: "?")?.after {
            path = "\(path.prefix(before: "?"))?\(query)"
        }
        return redactor.redact(Redaction.url(path)).printable
    }

    /// The names by which a test finds the call: that of the mock that answered, or those of the mock that would have
    /// answered if no server had.
    var mocks: [MockName] {
        let name = MockName(rawValue: name)
        // A case whose name cannot be read has no mock.
        return facts.mock == nil ? [name] + ((try? record.route.mockNames) ?? []) : [name]
    }

    /// True when the call does not change any more.
    var isOver: Bool { facts.isOver }

    /// The route as it was called, with its secrets.
    package var unredactedRoute: Route { record.route }

    /// The name of the route: ``Route/name``, without secrets. Use ``name`` to find the calls of a mock.
    public var route: String { redactor.redact(record.route.name).printable }

    var redactor: SecretRedactor {
        if let end { return end.redactor }
        return SecretRedactor(
            record.environment,
            credentials: (sent.map(Redaction.credentials(of:)) ?? record.route.credentials)
                + facts.credentials.flatMap { Redaction.credentials(inHeader: $0.value) })
    }
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
        let redactor = redactor
        return Mirror(
            self,
            children: [
                "name": redactor.redact(name), "route": route,
                "request": sent.map { redactor.redact(Redaction.request($0)) } as Any, "source": source as Any,
                "status": status as Any, "error": error as Any, "history": history, "started": started,
                "ended": ended as Any,
                "decodedType": decodedType as Any,
            ], displayStyle: .struct)
    }
}
