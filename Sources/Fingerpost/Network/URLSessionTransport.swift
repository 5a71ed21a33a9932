import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
#else
    public import Foundation
#endif

/// Sends requests with `URLSession`. ``APIClient`` uses this transport by default for calls that mocks do not answer.
/// To send with another HTTP client, implement ``Transport``.
///
/// This transport returns redirects and error statuses like any other response, stores nothing on disk by default, and
/// ends within milliseconds when its task is cancelled. The first request creates the session, which is invalidated
/// when the transport is released.
///
/// In a test process, this transport reaches other machines only inside an ``APIScope`` that is not sealed and whose
/// environment is selected by name. The transport checks each request, including redirects and requests that another
/// transport or your own code sends through this transport.
// On all platforms, the implementation is a session delegate on a serial queue instead of the `async` methods of
// `URLSession`. On Linux, if a call of an `async` method is cancelled shortly before the method returns, every session
// of the process can hang.
public final class URLSessionTransport: Transport {
    /// Answers the challenges of servers. The handler runs on the session's queue, so it must not wait for anything.
    public typealias ChallengeHandler =
        @Sendable (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)

    private let delegate: URLSessionTransportDelegate
    private let session = Locked<URLSession?>(nil)
    private let configuration: @Sendable () -> URLSessionConfiguration

    /// Creates a transport with its own session.
    ///
    /// - Parameters:
    ///   - configuration: creates the session's configuration; ``standardConfiguration`` by default. The configuration
    ///     needs no timeouts, because the client enforces ``ClientConfiguration/timeout``.
    ///   - onChallenge: answers the challenges of servers, to pin certificates or to send a client certificate; nil for
    ///     the system's answers. Foundation on Linux reports no TLS challenges. On Linux, every request of a transport
    ///     with this closure therefore fails, so that no check is skipped.
    public init(
        configuration: @escaping @Sendable () -> URLSessionConfiguration = URLSessionTransport.standardConfiguration,
        onChallenge: ChallengeHandler? = nil
    ) {
        self.configuration = configuration
        delegate = URLSessionTransportDelegate(onChallenge: onChallenge)
    }

    deinit {
        session.withLock { $0?.finishTasksAndInvalidate() }
    }

    // True if a session may delay the head of a response until 512 bytes of the body have arrived. The session guesses
    // the type of the body from these bytes.
    #if canImport(FoundationNetworking)
        static let holdsBackHeads = false
    #else
        static let holdsBackHeads = true
    #endif

    /// Creates an ephemeral session configuration without a cache, cookies or stored credentials.
    public static let standardConfiguration: @Sendable () -> URLSessionConfiguration = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        return configuration
    }

    /// Sends a request and pushes the response into a sink as it arrives: see ``Transport/send(_:for:into:)``.
    ///
    /// - Throws: `URLError`, `CancellationError`, the sink's error, or ``APIError`` if a test's request must not leave
    ///   this machine.
    public func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
        let (exchange, sent) = try prepare(request, for: route, into: sink)
        // Open the session here and not on the queue that starts the tasks of all transports: the app's closure that
        // creates the configuration could block this queue.
        _ = openSession()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The closure may run after the call was cancelled, so the closure keeps the transport alive. A
                // released transport has an invalid session, and creating a task in an invalid session crashes the
                // process.
                delegate.start(exchange, continuation) { [self] in openSession().dataTask(with: sent) }
            }
        } onCancel: {
            delegate.cancel(exchange)
        }
    }

    /// Checks a request that is about to be sent.
    ///
    /// - Returns: the exchange, and the request in the form that the session needs.
    @inline(never)
    private func prepare(
        _ request: URLRequest, for route: Route, into sink: any BodySink
    ) throws -> (Exchange, sent: URLRequest) {
        try Task.checkCancellation()
        try LoopbackGuard.check(request, for: route)
        // Another transport may have read the body's stream, or may have added a stream that was already read.
        if request.httpBodyStream?.wasOpened == true {
            throw APIError(
                openedBefore: "the request's body stream", fix: "give the request a new stream after reading the body")
        }
        var request = request
        request.addMissingContentType()
        #if canImport(FoundationNetworking)
            guard delegate.onChallenge == nil else {
                throw APIError(
                    .transport,
                    "Foundation on Linux does not report challenges, so onChallenge cannot run; nothing was sent",
                    fix: "leave out onChallenge on Linux, or use another Transport there")
            }
        #endif
        return (Exchange(request, into: sink), request.withLowercaseScheme.withContentLength)
    }

    private func openSession() -> URLSession {
        if let opened = session.withLock({ $0 }) { return opened }
        let configuration = configuration()
        return session.withLock { session in
            if let session { return session }
            configuration.setUserAgent()
            #if canImport(FoundationNetworking)
                // If the session has a cache, the process crashes when a task is cancelled while the task ends.
                configuration.urlCache = nil
            #endif
            let opened = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
            session = opened
            return opened
        }
    }
}

extension URLSessionConfiguration {
    /// Sets the `User-Agent` of requests that have none, unless the configuration already has one.
    fileprivate func setUserAgent() {
        var headers = httpAdditionalHeaders ?? [:]
        let name = "User-Agent"
        if headers.keys.contains(where: { "\($0)".lowercased() == name.lowercased() }) { return }
        headers[name] = UserAgent.standard
        httpAdditionalHeaders = headers
    }
}

extension URLRequest {
    /// This request with its scheme in lower case. Schemes are case-insensitive (RFC 3986 section 3.1), but Foundation
    /// on Linux only accepts lower case.
    fileprivate var withLowercaseScheme: URLRequest {
        guard let url, let scheme = url.scheme, scheme != "http", scheme != "https" else { return self }
        var request = self
        request.url = URL(string: scheme.lowercased() + url.absoluteString.dropFirst(scheme.count)) ?? url
        return request
    }

    /// This request with the `Content-Length` header, if its body is a stream with a length. Otherwise `URLSession`
    /// would send the body in chunks, which storage services refuse.
    //
    // On Linux, `uploadTask(with:fromFile:)` is no alternative for files, because it needs three to five times the
    // processor time. For 200 MB on loopback, an upload task needs 1.8 to 3.0 s. A stream with a length needs 0.4 to
    // 0.6 s, and a stream in chunks needs 0.6 to 0.8 s. If the file becomes shorter, the upload task never ends. If the
    // file becomes longer, the upload task sends more bytes than it has announced.
    fileprivate var withContentLength: URLRequest {
        guard let length = bodyLength else { return self }
        var request = self
        request.setValue("\(length.bytes)", forHTTPHeaderField: "Content-Length")
        #if canImport(FoundationNetworking)
            // libcurl sends a stream in chunks, unless this header has another value. A blank value is not sent.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        #endif
        return request
    }
}

extension URLSessionTransport: CustomReflectable {
    /// An empty mirror, because the configuration of the session can contain credentials.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

/// The `User-Agent` of this process (RFC 9110 section 10.1.5): `App/1.2 Fingerpost/0.1.0`.
enum UserAgent {
    static let standard = text(
        name: Bundle.main.infoDictionary?["CFBundleName"] as? String ?? ProcessInfo.processInfo.processName,
        version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String)

    private static let version = "0.1.0"

    /// - Parameters:
    ///   - name: the app's name. Characters that a token cannot contain become hyphens.
    ///   - version: the app's version; nil if it is not known.
    static func text(name: String, version: String?) -> String {
        let app = [name, version].compactMap { $0.map(token) }.filter { !$0.isEmpty }.joined(separator: "/")
        return [app, "Fingerpost/\(Self.version)"].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func token(_ text: String) -> String {
        String(text.map { HTTPSyntax.isToken(String($0)) ? $0 : "-" })
    }
}
