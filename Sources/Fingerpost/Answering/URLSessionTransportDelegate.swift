import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Forwards each task's events to the exchange that the task's caller waits for.
///
/// All events and all cancellations run on one serial queue. So a cancelled exchange receives no more events, and no
/// task is cancelled while it completes: cancelling a completing task would crash Foundation on Linux.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate {
    let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "Fingerpost.URLSessionTransport"
        return queue
    }()

    /// Answers the challenges of servers; nil for the system's answers.
    let onChallenge: URLSessionTransport.ChallengeHandler?

    /// The exchanges in progress, by the identifiers of their tasks.
    private let exchanges = Locked<[Int: Exchange]>([:])

    init(onChallenge: URLSessionTransport.ChallengeHandler?) {
        self.onChallenge = onChallenge
    }

    /// Registers an exchange and starts its task.
    func start(
        _ exchange: Exchange, _ task: URLSessionDataTask, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
        guard exchange.begin(continuation) else {
            // The exchange was cancelled before its task started, so nothing is sent.
            finish(task)
            continuation.resume(throwing: CancellationError())
            return
        }
        task.resume()
    }

    /// Ends an exchange with `CancellationError` and cancels its task.
    func cancel(_ exchange: Exchange, _ task: URLSessionDataTask) {
        queue.addOperation { [self] in
            finish(task)
            exchange.end(.failure(CancellationError()))
            task.cancel()
        }
    }

    /// Ends a task that cannot continue.
    private func abandon(_ task: URLSessionTask, _ error: URLError) {
        queue.addOperation { [self] in
            guard let exchange = finish(task) else { return }
            exchange.end(.failure(error))
            task.cancel()
        }
    }

    @discardableResult
    private func finish(_ task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    /// Passes an event to the exchange of a task.
    ///
    /// - Returns: false when the sink threw an error, which has ended the exchange.
    @discardableResult
    private func pass(_ task: URLSessionTask, _ receive: (Exchange) throws -> Void) -> Bool {
        guard let exchange = exchange(of: task) else { return true }
        do {
            try receive(exchange)
            return true
        } catch {
            finish(task)
            exchange.end(.failure(error))
            return false
        }
    }

    // MARK: URLSession

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isWanted = pass(dataTask) { exchange throws in try exchange.receive(response) }
        completionHandler(.allow)
        if !isWanted { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if !pass(dataTask, { exchange throws in try exchange.receive(data) }) { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent()
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
            // On Linux, with default handling, a request that is answered by a 401 asking for Basic credentials never
            // completes. So return the 401 response to the caller instead.
            pass(task) { exchange throws in try exchange.receive(challenged: challenge.failureResponse) }
            completionHandler(.cancelAuthenticationChallenge, nil)
        #else
            let (disposition, credential) = onChallenge?(challenge) ?? (.performDefaultHandling, nil)
            completionHandler(disposition, credential)
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // The server closed a reused connection as the request arrived, and the session is about to send the request
        // again. On Linux the session would send the request without its body, and the server would wait for the body
        // until the deadline. On all platforms, the transport must not decide to send a request twice. Unlike the other
        // delegate methods, this method is not called on the serial queue.
        abandon(task, URLError(.networkConnectionLost))
        #if canImport(FoundationNetworking)
            // Until the cancellation takes effect, the session would read the used-up stream and send an empty body
            // that looks complete. So replace the stream with a stream that fails. If the request has no stream, pass
            // nil to the completion handler.
            completionHandler(task.originalRequest?.httpBodyStream == nil ? nil : BrokenStream())
        #else
            completionHandler(nil)
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(task)?.complete(error, task.response)
    }
}

#if canImport(FoundationNetworking)
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
