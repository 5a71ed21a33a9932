import Dispatch
import FingerpostFiles
public import Foundation

/// The client for scripts: each call waits, on the calling thread, for its answer.
///
/// ```swift
/// let user = try client.blocking.send(GitHub.user(login: "octocat"), as: User.self)
/// ```
///
/// A call is refused, with an ``APIError`` of the kind `invalidRoute`, where waiting could stop the program: inside a task, whose thread
/// the answer may need, and on the main thread while its run loop runs, as in apps. Use the `async` methods there. The threads of
/// Dispatch's global queues are few, and on Linux tasks need them too: wait on a thread or a queue of your own.
public struct BlockingClient: Sendable {
    let client: APIClient

    /// Sends a route and decodes the body of the response: ``APIClient/send(_:as:)``.
    public func send<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self
    ) throws(APIError) -> Value {
        try wait(route) { () async throws(APIError) in try await client.send(route, as: type) }
    }

    /// Sends an endpoint and decodes its response.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) throws(APIError) -> E.Response {
        try wait(endpoint) { () async throws(APIError) in try await client.send(endpoint) }
    }

    /// Sends a route whose response has nothing to decode.
    public func send(_ route: some RouteConvertible) throws(APIError) {
        try wait(route) { () async throws(APIError) in try await client.send(route) }
    }

    /// Sends a route and gives the body as it came: ``APIClient/data(for:)``.
    public func data(for route: some RouteConvertible) throws(APIError) -> Data {
        try wait(route) { () async throws(APIError) in try await client.data(for: route) }
    }

    /// Sends a route and puts the body into a file as it comes: ``APIClient/download(_:to:)``.
    @discardableResult
    public func download(_ route: some RouteConvertible, to file: URL) throws(APIError) -> Response<URL> {
        try wait(route) { () async throws(APIError) in try await client.download(route, to: file) }
    }

    private func wait<Value: Sendable>(
        _ route: some RouteConvertible, _ call: @escaping @Sendable () async throws(APIError) -> Value
    ) throws(APIError) -> Value {
        if let reason = Self.danger {
            let error = APIError(
                .invalidRoute, "a blocking call \(reason) could wait for itself", fix: "use try await client.send(…)")
            throw client.sender.failure(error, of: Route(route))
        }
        let answer = Locked<Result<Value, APIError>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let task = Task {
            let result = await Result(of: call)
            answer.withLock { $0 = result }
            done.signal()
        }
        // The call has a deadline of its own. It can miss it where code of the app waits for this very thread. An environment that
        // cannot be read is told by the call.
        let timeout = client.sender.answering.timeout(of: Route(route))
        _ = done.wait(timeout: .now() + .seconds(Int(timeout.components.seconds) + 2))
        guard let result = answer.withLock({ $0 }) else {
            task.cancel()
            let error = APIError(
                .timedOut, "the blocking call did not end within \(timeout)",
                fix: "let no middleware or authorization wait for the main actor, or use try await client.send(…)")
            throw client.sender.failure(error, of: Route(route))
        }
        return try result.get()
    }

    /// Why waiting here could stop the program; nil where it is safe.
    private static var danger: String? {
        if withUnsafeCurrentTask(body: { $0 != nil }) { return "inside a task" }
        if Thread.isMainThread, RunLoop.main.currentMode != nil { return "on the main thread of a running app" }
        return nil
    }
}

extension APIClient {
    /// The calls that wait for their answer, for scripts.
    public var blocking: BlockingClient { BlockingClient(client: self) }
}
