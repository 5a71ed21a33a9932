import Dispatch
import FingerpostFiles
import FingerpostTransfers
public import Foundation

/// A client for scripts: each call blocks the calling thread until the call ends. Use ``/Fingerpost/APIClient``
/// everywhere else.
///
/// ```swift
/// let user = try client.blocking.send(GitHub.user(login: "octocat"), as: User.self)
/// ```
///
/// If blocking the thread could cause a deadlock, a call fails with an ``/Fingerpost/APIError`` of the kind
/// `invalidRoute`. A call fails in this way inside a task, and on the main thread while its run loop runs, as in apps.
/// A call also fails in a ``/Fingerpost/BodySink``, because the transport waits for the sink. Use the `async` methods
/// inside tasks and in apps. On Linux, each call runs on a separate thread, because blocked callers may occupy the
/// threads on which tasks run.
public struct BlockingClient: Sendable {
    let client: APIClient

    /// Sends a route and decodes the body of the response, as `APIClient` does.
    public func send<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self
    ) throws(APIError) -> Value {
        try wait(route) { () async throws(APIError) in try await client.send(route, as: type) }
    }

    /// Sends an endpoint and decodes its response, whose type is the endpoint's `Response`.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) throws(APIError) -> E.Response {
        try wait(endpoint) { () async throws(APIError) in try await client.send(endpoint) }
    }

    /// Sends a route and does not decode the body of the response.
    public func send(_ route: some RouteConvertible) throws(APIError) {
        try wait(route) { () async throws(APIError) in try await client.send(route) }
    }

    /// Sends a route and returns the response body verbatim, as `APIClient` does.
    public func data(for route: some RouteConvertible) throws(APIError) -> Data {
        try wait(route) { () async throws(APIError) in try await client.data(for: route) }
    }

    /// Sends a route and writes the body to a file as it arrives, as `APIClient` does.
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL
    ) throws(APIError) -> Response<URL> {
        try wait(route) { () async throws(APIError) in try await client.download(route, to: file) }
    }

    private func wait<Value: Sendable>(
        _ route: some RouteConvertible, _ call: @escaping @Sendable () async throws(APIError) -> Value
    ) throws(APIError) -> Value {
        if let reason = Self.danger {
            let error = APIError(
                .invalidRoute, "a blocking call \(reason) could deadlock", fix: "use try await client.send(…)")
            throw client.failure(error, of: Route(of: route), isCall: true)
        }
        let answer = Locked<Result<Value, APIError>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let task = startTask {
            let result = await Result(of: call)
            answer.withLock { $0 = result }
            done.signal()
        }
        // A call usually ends by its deadline. If app code in the call waits for the blocked thread, the call cannot
        // end, so the thread stops waiting two seconds after the deadline.
        let deadline = client.deadline(of: Route(of: route))
        deadline.block(until: done, orAfter: 2)
        guard let result = answer.withLock({ $0 }) else {
            task.cancel()
            let error = APIError(
                .timedOut, "the blocking call did not end within \(deadline.timeout)",
                fix: "do not wait for the main actor in middleware or authorization, or use try await client.send(…)")
            throw client.failure(error, of: Route(of: route))
        }
        return try result.get()
    }

    /// Starts the task of a call. On Linux, the task has its own thread, because blocked callers may occupy the threads
    /// of tasks.
    private func startTask(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        #if canImport(FoundationNetworking)
            let thread = CallThread()
            return Task(executorPreference: thread) {
                await CallExecutor.$current.withValue(thread, operation: work)
                thread.end()
            }
        #else
            return Task(operation: work)
        #endif
    }

    /// The reason why blocking this thread could deadlock; nil if blocking is safe.
    private static var danger: String? {
        if withUnsafeCurrentTask(body: { $0 != nil }) { return "inside a task" }
        if URLSessionTransport.isOnQueue { return "while a transport hands over a response" }
        if Thread.isMainThread, RunLoop.main.currentMode != nil { return "on the main thread of a running app" }
        return nil
    }
}

extension Deadline {
    /// Blocks the thread until the work is done, or until the given number of seconds has passed after the deadline.
    fileprivate func block(until done: DispatchSemaphore, orAfter seconds: Int) {
        repeat {
            let wait = max(0, Int(clamping: rest.components.seconds)) + seconds
            if done.wait(timeout: .now() + .seconds(wait)) == .success { return }
            // The loop waits again if the process was suspended, because that time does not count toward the deadline.
        } while rest > .seconds(-seconds)
    }
}

extension APIClient {
    /// This client as a ``BlockingClient`` for scripts, whose methods block the calling thread.
    public var blocking: BlockingClient { BlockingClient(client: self) }
}
