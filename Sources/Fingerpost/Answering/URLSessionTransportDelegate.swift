import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes the events of every task on to the exchange that its caller waits for.
///
/// All events, and all cancellations, run on one serial queue. So a task that is cancelled hears nothing more, and nobody
/// cancels a task while it is being completed, which Foundation on Linux does not survive.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate {
    let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "Fingerpost.URLSessionTransport"
        return queue
    }()

    /// The exchanges under way, by the identifiers of their tasks.
    private let exchanges = Locked<[Int: Exchange]>([:])

    func start(
        _ exchange: Exchange, _ task: URLSessionDataTask, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
        guard exchange.begin(continuation) else {
            // Cancelled before it began: nothing is sent.
            finish(task)
            continuation.resume(throwing: CancellationError())
            return
        }
        task.resume()
    }

    func cancel(_ exchange: Exchange, _ task: URLSessionDataTask) {
        queue.addOperation { [self] in
            finish(task)
            exchange.end(.failure(CancellationError()))
            task.cancel()
        }
    }

    /// Ends a task that cannot go on.
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

    /// Hands what came to the exchange of a task.
    ///
    /// - Returns: false when its sink refused it, which has ended the call.
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
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // A cancelled task must not be answered any more.
        guard exchange(of: task) != nil else { return }
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Left to itself, a 401 that asks for Basic credentials never completes here. The 401 is the answer.
            pass(task) { exchange throws in try exchange.receive(challenged: challenge.failureResponse) }
            completionHandler(.cancelAuthenticationChallenge, nil)
        #else
            completionHandler(.performDefaultHandling, nil)
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // The connection was an old one, which the server closed as the request came, and the request is about to go out
        // again. On Linux it would go without its body, for which the server would wait until the deadline. Whether a
        // request is sent twice is not decided here in any case. This call alone comes outside the queue.
        abandon(task, URLError(.networkConnectionLost))
        #if canImport(FoundationNetworking)
            // Before the task is cancelled the used-up stream would be read again, and its end sent: an empty body that
            // looks whole. Only a stream may be given, and only in place of one.
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
