import FingerpostFiles
import Foundation

/// Forwards each task's events to the exchange that the task's caller waits for.
///
/// One serial queue handles all events, and all exchanges end on this queue, so an exchange receives no events after
/// its end.
///
/// Foundation on Linux decompresses a response step by step: one step decompresses all bytes that have arrived. Until
/// this step ends, every thread that starts or cancels a task is blocked. The step can be long, because 1 MB of gzip
/// can become 1 GB, in chunks that wait for the serial queue. On Linux, tasks are therefore started and cancelled on
/// another queue. The serial queue continues in the meantime, and drops the chunks of exchanges that have ended.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate {
    #if canImport(FoundationNetworking)
        let queue: OperationQueue = EventQueue()

        /// Starts and cancels the tasks of all transports.
        ///
        /// A thread that starts or cancels a task waits for a queue of Foundation that all sessions share. One control
        /// queue for all transports is therefore as fast as one queue for each transport. If the thread of a call
        /// started the call's task, this would save time, but Foundation's queue could block the thread. The transport
        /// cannot detect that Foundation's queue is busy: if a redirect has a compressed body, Foundation reports the
        /// redirect only after it has decompressed the body.
        ///
        /// Dispatch has at most 255 threads for queues that do not target a global queue, and sessions need some of
        /// them. All transports together block at most one of these threads.
        private static let controlQueue = DispatchQueue(label: "Fingerpost.URLSessionTransport.control")
    #else
        let queue: OperationQueue = {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            // Without this setting, the queue has the quality of service of background work, even for responses that a
            // user waits for.
            queue.qualityOfService = .userInitiated
            queue.name = "Fingerpost.URLSessionTransport"
            return queue
        }()
    #endif

    /// Answers the challenges of servers; nil for the system's answers.
    let onChallenge: URLSessionTransport.ChallengeHandler?

    /// The exchanges in progress, by the identifiers of their tasks.
    private let exchanges = Locked([Int: Exchange]())

    init(onChallenge: URLSessionTransport.ChallengeHandler?) { self.onChallenge = onChallenge }

    /// Starts an exchange and its task.
    ///
    /// - Parameter makeTask: creates the task. This closure may run on a queue that all transports share, so the
    ///   closure must not call the app's code.
    func start(
        _ exchange: Exchange, _ continuation: CheckedContinuation<Void, any Error>,
        _ makeTask: @escaping @Sendable () -> URLSessionDataTask
    ) {
        guard exchange.begin(continuation) else { return continuation.resume(throwing: CancellationError()) }
        control { [self] in
            let task = makeTask()
            exchanges.withLock { $0[task.taskIdentifier] = exchange }
            if exchange.begin(task) { return task.resume() }
            // The exchange was cancelled before its task started, so nothing is sent.
            finish(task)
            task.cancel()
        }
    }

    /// Starts or cancels a task.
    private func control(_ step: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
            Self.controlQueue.async(execute: step)
        #else
            step()
        #endif
    }

    /// Ends an exchange with `CancellationError` and cancels its task.
    func cancel(_ exchange: Exchange) {
        // From now on, no task starts. The exchange is closed on this thread, because the serial queue may be busy.
        exchange.close()
        queue.addOperation { [self] in
            exchange.end(.failure(CancellationError()))
            if let task = exchange.task { cancel(task) }
        }
    }

    /// Ends the exchange of a task that cannot continue, and cancels the task.
    private func abandon(_ task: URLSessionTask, _ error: any Error) {
        exchange(of: task)?.end(.failure(error))
        cancel(task)
    }

    /// Cancels a task, and drops everything that still arrives for the task.
    private func cancel(_ task: URLSessionTask) {
        finish(task)
        control { task.cancel() }
    }

    @discardableResult
    private func finish(_ task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? { exchanges.withLock { $0[task.taskIdentifier] } }

    /// Passes an event to the exchange of a task. An error that the sink throws ends the exchange.
    private func pass(_ task: URLSessionTask, _ receive: (Exchange) throws -> Void) {
        guard let exchange = exchange(of: task) else { return }
        do { try receive(exchange) } catch { abandon(task, error) }
    }

    // MARK: URLSession

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        pass(dataTask) { exchange throws in try exchange.receive(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        pass(dataTask) { exchange throws in try exchange.receive(data) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // For a cancelled task, calling the completion handler crashes Foundation on Linux.
            guard exchange(of: task) != nil else { return }
        #endif
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // On Linux, if this method selected the default handling, a request would never complete after a 401 that
            // requests Basic credentials. So return the 401 response to the caller instead.
            pass(task) { exchange throws in try exchange.receive(challenged: challenge.failureResponse) }
            control { completionHandler(.cancelAuthenticationChallenge, nil) }
        #else
            let (disposition, credential) = onChallenge?(challenge) ?? (.performDefaultHandling, nil)
            // The session would report a refused certificate as a cancellation, which apps ignore.
            if let refusal = APIError(refusing: disposition, challenge.protectionSpace) { abandon(task, refusal) }
            completionHandler(disposition, credential)
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // If the server closes a reused connection as a request arrives, the session calls this method before it sends
        // the request again. On Linux, the session would send the request without its body, and the server would wait
        // for the body until the deadline. On Apple platforms, the session also calls this method before it answers a
        // 401 or a 407 itself. On all platforms, the client decides whether a request is sent twice, so end the
        // exchange with an error. Unlike the other delegate methods, this method is not called on the serial queue.
        #if canImport(FoundationNetworking)
            queue.addOperation { [self] in abandon(task, URLError(.networkConnectionLost)) }
            // Until the cancellation takes effect, the session would read the used-up stream and send an empty body
            // that looks complete. So replace the stream with a stream that fails. If the request has no stream, pass
            // nil to the completion handler.
            completionHandler(task.originalRequest?.httpBodyStream == nil ? nil : BrokenStream())
        #else
            queue.addOperation { [self] in abandon(task, APIError.bodyWantedAgain) }
            completionHandler(nil)
        #endif
    }

    #if !canImport(FoundationNetworking)
        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            exchange(of: task)?.waitForConnection()
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(task)?.complete(error, task.response)
    }
}

#if canImport(FoundationNetworking)
    /// A serial Dispatch queue as an `OperationQueue`, because a session takes only an `OperationQueue`.
    ///
    /// A plain `OperationQueue` creates an operation for each block, and passes the operations one by one to a
    /// concurrent queue, which wakes a thread for each of them. With 32 concurrent calls, this class needs a tenth of
    /// the time that a plain `OperationQueue` needs.
    ///
    /// Foundation on Linux declares `OperationQueue` and `addOperation(_:)` as `open`, and a session adds each event
    /// only with this method. If a later Foundation used another method, the operations would still run on the same
    /// serial queue, but as slowly as without this class, and `EventQueueTests` would fail. On Apple platforms, the
    /// system may call any method of the queue, so transports use a plain `OperationQueue` there.
    //
    // `@unchecked Sendable`: the superclass is Sendable, and this class adds only constants.
    final class EventQueue: OperationQueue, @unchecked Sendable {
        fileprivate static let key = DispatchSpecificKey<Void>()

        private let serial = DispatchQueue(
            label: "Fingerpost.URLSessionTransport", qos: .userInitiated)

        override init() {
            super.init()
            serial.setSpecific(key: Self.key, value: ())
            qualityOfService = .userInitiated
            underlyingQueue = serial
            maxConcurrentOperationCount = 1
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) { serial.async(execute: block) }
    }

    /// A stream that fails when it is read, for a body that must not be sent.
    private final class BrokenStream: InputStream {
        init() { super.init(data: Data()) }

        override func open() {}
        override func close() {}
        override var streamStatus: Stream.Status { .error }
        override var streamError: (any Error)? { POSIXError(.EPIPE) }
        override var hasBytesAvailable: Bool { true }
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int { -1 }
    }
#endif

extension URLSessionTransport {
    /// True on the queue on which a transport delivers responses. A blocking call on this queue would wait forever.
    package static var isOnQueue: Bool {
        #if canImport(FoundationNetworking)
            DispatchQueue.getSpecific(key: EventQueue.key) != nil
        #else
            OperationQueue.current?.name == "Fingerpost.URLSessionTransport"
        #endif
    }
}

extension APIError {
    /// The error for a body that Apple's session requests a second time. This error counts as a lost connection, after
    /// which a retry opens the body again.
    static var bodyWantedAgain: APIError {
        APIError(
            .transport,
            """
            URLSession asked for the body a second time, but a body that is read from a stream or a file is sent once: \
            the connection was lost, or the server or a proxy asked for credentials that the system stores
            """,
            fix: "send RequestBody.data; credentials for the server belong in the configuration's authorization",
            underlying: URLError(.networkConnectionLost))
    }

    /// The error for a certificate that the app's ``URLSessionTransport/ChallengeHandler`` refused; nil for a
    /// disposition that lets the connection continue, and for challenges in a response.
    init?(refusing disposition: URLSession.AuthChallengeDisposition, _ space: URLProtectionSpace) {
        guard disposition == .cancelAuthenticationChallenge || disposition == .rejectProtectionSpace else { return nil }
        switch space.authenticationMethod {
        case "NSURLAuthenticationMethodServerTrust":
            self.init(
                .transport, "onChallenge refused the certificate of \(space.host); nothing was sent",
                fix:
                    "if the server renewed its key, ship the new key with the app; otherwise do not trust the connection"
            )
        case "NSURLAuthenticationMethodClientCertificate":
            self.init(
                .transport, "\(space.host) asked for a client certificate, and onChallenge refused; nothing was sent",
                fix: "answer with a credential that has an identity, or with .performDefaultHandling")
        default: return nil
        }
    }
}
