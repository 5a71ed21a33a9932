public import Fingerpost
import FingerpostFiles
import FingerpostShared

#if canImport(FoundationNetworking)
    import Foundation
#else
    public import Foundation
#endif

/// A transport that caches responses. Before the transport uses a cached response, it asks the server whether this
/// response is still current. If so, the body is not loaded again. Another transport sends the requests.
///
/// ```swift
/// configuration.transport = RevalidatingTransport(
///     around: URLSessionTransport(), maximumSize: 16 << 20)
/// ```
///
/// The transport caches the response to a GET in memory, if the response has an `ETag` or `Last-Modified`. The next
/// request asks with `If-None-Match` and `If-Modified-Since` (RFC 9110 section 13.1). If the server answers 304, the
/// call receives the cached body, even if the call writes the body to a file or reads it as a stream. Then
/// ``/Fingerpost/Response/source`` is ``/Fingerpost/ResponseSource/revalidated``. The transport asks the server for
/// every call. To use cached responses without asking, give ``/Fingerpost/URLSessionTransport`` a session with a
/// `URLCache`.
///
/// - The cache key is the URL and all headers of the request, including credentials. `Accept-Encoding`, `User-Agent`
///   and the headers that you pass as `ignored` are part of the key only if the response names them in `Vary`.
/// - A response is not cached if its status is not 200, if it has `no-store` or `Vary: *`, if its body ends with an
///   error, or if it is larger than the store.
/// - A request is sent unchanged if its method is not GET, or if it has a body, its own condition, its own range or
///   `Cache-Control: no-store`.
/// - A 304 updates the headers of the cached response. The cached response is dropped if the 304 has `no-store`,
///   another header in `Vary`, or another validator (RFC 9111 section 4.3.4). The transport then asks the server once
///   more, without a condition.
///
/// Each transport has one store. Clients made with ``/Fingerpost/APIClient/with(_:)`` share this store, and so do
/// scopes. Mocks answer before the transport is called, so a sealed test does not use the store.
///
/// Your own transport can add credentials that this transport does not see. The same is true of a session that stores
/// cookies or credentials, or that answers challenges. Around such a transport or session, a response is cached only if
/// it has `Cache-Control: public` (RFC 9111 section 5.2.2.9) and does not vary by `Cookie`, `Authorization` or another
/// header of a credential. A session with ``/Fingerpost/URLSessionTransport/standardConfiguration`` adds no
/// credentials: use such a session, and set credentials in the client's
/// ``/Fingerpost/ClientConfiguration/authorization``.
public final class RevalidatingTransport: Transport {
    private let inner: any Transport
    private let maximumSize: Int
    private let ignored: Set<HTTPHeaders.Name>
    private let answers: Locked<KeptAnswers>

    /// Creates a transport with an empty store.
    ///
    /// - Parameters:
    ///   - inner: the transport that sends the requests.
    ///   - maximumSize: the maximum size of all cached bodies, URLs and headers together, in bytes. If the cache is
    ///     larger, the least recently used responses are dropped. While a body arrives, a copy of the body takes
    ///     additional memory, up to `maximumSize`.
    ///   - ignored: headers that differ from request to request and do not change the response, such as
    ///     `["X-Request-Id", "traceparent"]`. Names of headers with credentials have no effect here.
    public init(around inner: any Transport, maximumSize: Int, ignoring ignored: Set<HTTPHeaders.Name> = []) {
        self.inner = inner
        self.maximumSize = maximumSize
        self.ignored = ignored.filter { $0.mayFollow(authorization: []) }.union([.acceptEncoding, .userAgent])
        answers = Locked(KeptAnswers(maximumSize: maximumSize))
    }

    /// Sends a request, or asks whether the cached response is still current, and pushes the response into a sink: see
    /// ``/Fingerpost/Transport/send(_:for:into:)``. The client counts one attempt, even if the transport asks the
    /// server twice.
    ///
    /// - Throws: the errors of the inner transport and of the sink.
    public func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
        guard let key = KeptAnswers.Key(request, ignoring: ignored) else {
            return try await inner.send(request, for: route, into: sink)
        }
        if let kept = answers.withLock({ $0.answer(to: request, key) }) {
            let asking = copy(of: request, into: sink, isConditional: true)
            try await inner.send(kept.condition(request), for: route, into: asking)
            guard let unchanged = asking.unchanged else { return keep(asking, to: request, key) }
            // Another address, behind a redirect that the inner transport has followed, says nothing of what is cached.
            if unchanged.request.url == request.url, let updated = kept.updated(by: unchanged.headers, to: request),
                mayKeep(updated.headers)
            {
                answers.withLock { $0.keep(updated, key) }
                try sink.begin(
                    Response(status: 200, headers: updated.headers, request: unchanged.request, source: .revalidated))
                if !updated.data.isEmpty { try sink.receive(updated.data) }
                return
            }
            answers.withLock { $0.keep(nil, key) }
        }
        let copy = copy(of: request, into: sink, isConditional: false)
        try await inner.send(request, for: route, into: copy)
        keep(copy, to: request, key)
    }

    private func copy(of request: URLRequest, into sink: any BodySink, isConditional: Bool) -> CopyingSink {
        CopyingSink(sink, maximumSize: maximumSize, isConditional: isConditional) { [self] head in
            head.status == 200 && head.request.url == request.url && mayKeep(head.headers)
        }
    }

    /// Keeps a response, or drops the one before it. The body of an error says nothing of either.
    private func keep(_ copy: CopyingSink, to request: URLRequest, _ key: KeptAnswers.Key) {
        guard let (head, body) = copy.received, head.isSuccess else { return }
        answers.withLock { $0.keep(body.map { KeptAnswers.Answer(head.headers, $0, to: request) }, key) }
    }

    /// True if a response with these headers may be cached.
    private func mayKeep(_ headers: HTTPHeaders) -> Bool {
        let validators = [headers[.etag], headers[.lastModified]].compactMap(\.self)
        guard let varying = headers.varying, !validators.isEmpty, validators.allSatisfy(HTTPSyntax.isFieldValue),
            !headers.forbidKeeping
        else { return false }
        // Known once the head has come.
        guard (inner as? URLSessionTransport)?.addsCredentials ?? true else { return true }
        // The same for all users, whatever credential was added. Text between quotation marks is not a directive.
        let directives = headers.directives
        return directives.contains { $0 == "public" }
            && !directives.contains { $0.begins(with: "private") || $0.contains(bytesOf: "\"") }
            && varying.allSatisfy { $0.mayFollow(authorization: []) }
    }
}

extension RevalidatingTransport: CustomReflectable {
    /// Empty, because cached bodies are private.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

/// Copies a body while it passes to another sink, and keeps from it the 304 to a condition that the transport has set.
private final class CopyingSink: BodySink {
    private struct State {
        var head: Response<Void>?
        /// The body so far; nil if it is not to be cached.
        var body: Data?
        var isUnchanged = false
    }

    private let sink: any BodySink
    private let maximumSize: Int
    private let isConditional: Bool
    private let mayKeep: @Sendable (Response<Void>) -> Bool
    private let state = Locked(State())

    /// - Parameters:
    ///   - isConditional: true if the request has a condition of the transport.
    ///   - mayKeep: true for the head of a response that may be cached.
    init(
        _ sink: any BodySink, maximumSize: Int, isConditional: Bool,
        mayKeep: @escaping @Sendable (Response<Void>) -> Bool
    ) {
        (self.sink, self.maximumSize, self.isConditional, self.mayKeep) = (sink, maximumSize, isConditional, mayKeep)
    }

    /// The 304 that was withheld from the sink; nil if another response has come.
    var unchanged: Response<Void>? { state.withLock { $0.isUnchanged ? $0.head : nil } }

    /// What has passed, with the body if it may be cached.
    var received: (head: Response<Void>, body: Data?)? {
        state.withLock { state in state.head.map { ($0, state.body) } }
    }

    func begin(_ head: Response<Void>) throws {
        var request = head.request
        if isConditional {
            // A redirect to another address must not ask for what is cached of this one.
            for name in [HTTPHeaders.Name.ifNoneMatch, .ifModifiedSince] {
                request.setValue(nil, forHTTPHeaderField: name.rawValue)
            }
        }
        let head = Response(status: head.status, headers: head.headers, request: request, source: head.source)
        let isUnchanged = isConditional && head.status == 304
        state.withLock { $0 = State(head: head, isUnchanged: isUnchanged) }
        // The server has answered: the silence before another response begins now.
        if isUnchanged { return note(.sent(0)) }
        try sink.begin(head)
        if mayKeep(head) { state.withLock { $0.body = Data() } }
    }

    func receive(_ bytes: Data) throws {
        try pass(bytes) { try sink.receive(bytes) }
    }

    func receive(contentsOf file: URL) throws {
        try pass(RegularFile.mapped(file)) { try sink.receive(contentsOf: file) }
    }

    /// Copies what the sink accepts.
    private func pass(_ bytes: @autoclosure () throws -> Data, _ receive: () throws -> Void) throws {
        // Nothing is cached of a body that the sink refuses, although the transport may go on.
        let (isUnchanged, body) = state.withLock { ($0.isUnchanged, $0.body.take()) }
        if isUnchanged { return }
        try receive()
        guard var body else { return }
        let bytes = try bytes()
        guard bytes.count <= maximumSize - body.count else { return }
        body.append(bytes)
        state.withLock { $0.body = body }
    }
}

/// What the inner transport tells the sink of a call, and the pace that this sink sets, pass as without the copy.
extension CopyingSink: CallSink {
    private var call: (any CallSink)? { sink.ofCall }
    var isMeasured: Bool { call?.isMeasured ?? false }
    func note(_ event: TransferEvent) { call?.note(event) }
    var pace: (any BodyPace)? { call?.pace }
}
