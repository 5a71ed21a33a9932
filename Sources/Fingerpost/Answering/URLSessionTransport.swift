import FingerpostFiles
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends requests with `URLSession`: what ``APIClient`` uses unless its environment is sealed.
///
/// One implementation for all platforms: a session delegate on a serial queue. It hands redirects back, answers every
/// status alike, keeps nothing on disk, and ends within milliseconds when its task is cancelled. The session is made by
/// the first request and invalidated when the transport goes away.
///
/// In a test process it reaches other machines only inside an ``APIScope`` that has an environment or a network of its own: that is
/// checked for every request, redirects included.
///
/// The `async` methods of `URLSession` are not used: on Linux, cancelling one that is about to finish can stop every
/// session of the process.
public final class URLSessionTransport: Transport {
    private let delegate = URLSessionTransportDelegate()
    private let session: Locked<URLSession?>
    private let configuration: @Sendable () -> URLSessionConfiguration

    /// - Parameter configuration: makes the session's configuration; by default one that keeps nothing: no cache, no
    ///   cookies, no stored credentials. Timeouts are the client's: see ``ClientConfiguration/timeout``.
    public init(
        configuration: @escaping @Sendable () -> URLSessionConfiguration = URLSessionTransport.standardConfiguration
    ) {
        self.configuration = configuration
        session = Locked(nil)
    }

    deinit {
        session.withLock { $0?.finishTasksAndInvalidate() }
    }

    /// A configuration without cache, cookies and stored credentials.
    public static let standardConfiguration: @Sendable () -> URLSessionConfiguration = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        return configuration
    }

    public func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        let sink = MemorySink()
        try await send(request, for: route, into: sink)
        return try sink.response()
    }

    public func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
        try Task.checkCancellation()
        try LoopbackGuard.check(request)
        let task = openSession().dataTask(with: request.withLowercaseScheme)
        let exchange = Exchange(request, into: sink)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                delegate.start(exchange, task, continuation)
            }
        } onCancel: {
            delegate.cancel(exchange, task)
        }
    }

    private func openSession() -> URLSession {
        if let session = session.withLock({ $0 }) { return session }
        let configuration = configuration()
        return session.withLock { session in
            if let session { return session }
            #if canImport(FoundationNetworking)
                // With a cache, a cancellation that races the end of a task ends the process.
                configuration.urlCache = nil
            #endif
            let opened = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
            session = opened
            return opened
        }
    }
}

extension URLRequest {
    /// The letter case of a scheme does not matter (RFC 3986 section 3.1), but Foundation on Linux knows `http` only.
    fileprivate var withLowercaseScheme: URLRequest {
        guard let url, let scheme = url.scheme, scheme != "http", scheme != "https" else { return self }
        var request = self
        request.url = URL(string: scheme.lowercased() + url.absoluteString.dropFirst(scheme.count)) ?? url
        return request
    }
}
