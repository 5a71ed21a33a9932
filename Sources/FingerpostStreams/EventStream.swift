import FingerpostFiles
import Foundation

extension APIClient {
    /// The events that a server sends. The loop reconnects when a connection ends: see ``EventStream``.
    ///
    /// ```swift
    /// for try await event in client.events(Ticker.prices) { show(event.data) }
    /// ```
    ///
    /// - Parameter route: a case of your router, or a ``/Fingerpost/Route``. Nothing is sent before the loop begins.
    public func events(_ route: some RouteConvertible) -> EventStream {
        EventStream(self, Route.from(route))
    }
}

/// The events that a server sends, by the HTML standard (html.spec.whatwg.org, section 9.2). When the server ends a
/// connection, the loop reconnects, but only if the method is GET or HEAD. To create this stream, call `events(_:)`.
/// For the events of a single connection, use `stream(_:)`. For values in place of events, use ``json(as:until:)``.
///
/// When a connection ends or is lost, the loop waits and reconnects. The new request sends the last event's identifier
/// in `Last-Event-ID`. The wait is as long as the server's `retry` field says, or 3 seconds if there is no such field.
/// The wait is at least 100 milliseconds, because `retry: 0` would otherwise cause hundreds of connections a second.
/// The standard permits this longer wait. If consecutive connections fail or bring no event, a random time is added to
/// each wait: at first up to a second, later up to a minute. If the server sends `Retry-After`, the wait is at least
/// that long, up to a day. The waits use the scope's clock.
///
/// Each connection sends the route again. When the server ends a connection, only a GET or HEAD is sent again. For any
/// other method, such as a POST that asks an assistant, the loop ends. When a connection fails, the route is sent again
/// if sending it twice does no harm. This is so if the route's method is idempotent (RFC 9110 section 9.2.2), if the
/// route has an idempotency key (``/Fingerpost/Route/idempotencyKey(_:)``), or if the route permits repetition
/// (``/Fingerpost/Route/retryable()``, ``/Fingerpost/Routable/isRepeatable``, ``/Fingerpost/Route/retry(_:)``).
/// Otherwise, the loop throws an ``/Fingerpost/APIError``. All connections send the same idempotency key.
///
/// The loop ends when the server answers 204. The loop throws an ``/Fingerpost/APIError`` for a permanent failure, such
/// as the status 404, even if the route's ``/Fingerpost/Route/acceptedStatuses`` contain that status. Otherwise, the
/// loop continues until your code leaves the loop or the task is cancelled. If you copy an iterator that has begun to
/// read, only one of the copies can continue; the others throw.
public struct EventStream: AsyncSequence, Sendable {
    /// The client and the route of every connection. Both are stored behind a reference, because iterators and closures
    /// contain a copy of the stream.
    private final class Contents: Sendable {
        let client: APIClient
        let route: Route

        init(_ client: APIClient, _ route: Route) {
            self.client = client
            self.route = route
        }
    }

    private let contents: Contents
    var client: APIClient { contents.client }
    var route: Route { contents.route }

    init(_ client: APIClient, _ route: Route) {
        contents = Contents(client, route)
    }

    /// Creates an iterator. Each loop opens its own connections.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Opens the connections, and reads their events.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let events: EventStream
        /// The open connection and its reader. Nil if no connection is open.
        private var open: (reader: ElementReader<EventParser>, connection: OpenStream)?
        /// The type that decodes the data of the events. Nil if nothing decodes the data.
        private let type: Any.Type?
        private var lastID: String
        /// The random idempotency key of the first connection. Nil if the route has no random key.
        private var key: String?
        /// The account of the first connection. Nil if the account is unknown.
        private var account: String?
        /// True after the first connection.
        private var wasConnected = false
        private var reconnection = Reconnection()
        private var isOver = false

        /// - Parameter type: the type that decodes the data of the events. Nil if nothing decodes the data.
        init(_ events: EventStream, decoding type: Any.Type? = nil) {
            self.events = events
            self.type = type
            lastID = events.route.headers[Self.lastEventID] ?? ""
        }

        fileprivate static let lastEventID: HTTPHeaders.Name = "Last-Event-ID"

        /// Returns the next event. Returns nil when the loop has ended. The loop ends if the server answers 204, or if
        /// the server ends the connection of a route that is neither a GET nor a HEAD.
        ///
        /// - Throws: ``/Fingerpost/APIError``.
        public mutating func next() async throws -> ServerSentEvent? { try await read()?.event }

        /// Returns the next event and its connection.
        mutating func read() async throws(APIError) -> (event: ServerSentEvent, connection: OpenStream)? {
            while !isOver {
                let (call, body) =
                    open.map { ($0.connection.opened, nil) } ?? events.call(after: lastID, key: key, as: account)
                do throws(APIError) {
                    if let body { try await connect(by: call, body) }
                    if let event = try await open?.reader.read(), let connection = open?.connection {
                        reconnection.succeed()
                        keepFacts(of: call)
                        return (event, connection)
                    }
                    keepFacts(of: call)
                    open = nil
                    isOver = isOver || !events.route.mayBeAskedAgain || !call.mayBeAskedAgain
                    if isOver { break }
                    try await wait(by: call, after: nil)
                    reconnection.fail()
                } catch {
                    keepFacts(of: call)
                    open = nil
                    let mayPass = reconnection.mayFollow(error, wasConnected: wasConnected)
                    isOver = !mayPass || !events.route.mayBeSentTwice
                    if isOver { throw mayPass ? error.ofOnlyConnection(by: events.route.method) : error }
                    reconnection.fail()
                    try await wait(by: call, after: error)
                }
            }
            return nil
        }

        /// Ends the loop and its connection.
        mutating func end() { (isOver, open) = (true, nil) }

        /// Ends the loop, because the last event has caused an error.
        mutating func fail(_ error: any Error) -> APIError {
            defer { (isOver, open) = (true, nil) }
            return open?.reader.fail(error) ?? APIError(transport: error)
        }

        @inline(never)
        private mutating func connect(by call: OpenCall, _ body: CallStream) async throws(APIError) {
            let (response, connection) = try await call.connect(body)
            isOver = response.status == 204
            wasConnected = true
            if isOver { return }
            if let type { call.call.record.willDecode(type) }
            let stream = ResponseStream(response, connection, events.client.configuration.streamLimits)
            open = (ElementReader(eventsOf: stream, lastID: lastID, isStrict: true), connection)
        }

        /// Stores the facts about this connection that the next connection needs.
        @inline(never)
        private mutating func keepFacts(of call: OpenCall) {
            account = account ?? call.account
            if key == nil, events.route.idempotencyKey == .random { key = call.idempotencyKey }
            guard let parser = open?.reader.parser else { return }
            lastID = parser.lastID
            if let retry = parser.retry { reconnection.setWait(milliseconds: retry) }
        }

        /// Waits before the next connection.
        @inline(never)
        private mutating func wait(by call: OpenCall, after error: APIError?) async throws(APIError) {
            do throws(APIError) {
                if let endless = reconnection.countWait() { throw events.client.failure(endless, of: events.route) }
                try await call.pause(reconnection.wait(by: call, after: error))
            } catch {
                isOver = true
                throw error
            }
        }
    }

    private func call(after lastID: String, key: String?, as account: String?) -> (OpenCall, CallStream?) {
        // A stream begins only if the status is successful. Any other status is an error, and this error determines
        // whether the loop reconnects.
        var route = route.acceptedStatuses(.success)
        if let key { route.idempotencyKey = .fixed(key) }
        if !route.headers.contains(.accept) { route = route.header(.accept, "text/event-stream") }
        route.headers[Iterator.lastEventID] = lastID.isEmpty || !HTTPSyntax.isFieldValue(lastID) ? nil : lastID
        let body = CallStream(client.configuration)
        return (OpenCall(route, into: body, by: client, as: account), body)
    }
}

extension Route {
    /// True if the route is sent again after the server has ended a connection. For methods other than GET and HEAD,
    /// the server has fulfilled the request when it ends the connection. Another request would be a new order, even
    /// with an idempotency key.
    fileprivate var mayBeAskedAgain: Bool { method.isSafeToAskAgain }

    /// True if sending the route twice does no harm.
    fileprivate var mayBeSentTwice: Bool {
        mayBeSentTwice(with: method, hasKey: idempotencyKey != nil || headers.contains("Idempotency-Key"))
    }
}

extension HTTPMethod {
    fileprivate var isSafeToAskAgain: Bool { self == .get || self == .head }
}

extension OpenCall {
    /// True if the request is sent again after the server has ended a connection. The route's `configure` may have
    /// changed the method.
    fileprivate var mayBeAskedAgain: Bool {
        HTTPMethod(rawValue: call.record.request?.httpMethod ?? "GET").isSafeToAskAgain
    }
}

extension APIError {
    /// Returns this error with the note that the loop does not reconnect, and with a fix.
    fileprivate func ofOnlyConnection(by method: HTTPMethod) -> APIError {
        adding(
            note: "not connected again, because \(method) is not idempotent",
            fix: "give the route an idempotency key if the server knows it, or call retryable()")
    }
}

extension EventStream: CustomStringConvertible, CustomReflectable {
    /// The name of the route.
    public var description: String { "EventStream(\(route.name))" }

    /// The name of the route.
    public var customMirror: Mirror { Mirror(self, children: ["route": route.name], displayStyle: .struct) }
}

extension EventStream.Iterator: CustomReflectable {
    /// This mirror is empty, because events may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
