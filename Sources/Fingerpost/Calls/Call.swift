import FingerpostFiles
import Foundation

/// One call, from its route to its end. This type contains what the call needs to send its requests, and what the call
/// waits for. The call's record contains what has happened.
package final class Call: Sendable {
    private struct State {
        /// The route's body, if it was written to a file.
        var form: BodyStream?
        /// The transfer of the last attempt; nil if a mock answers the attempt with a whole response.
        var transfer: Transfer?
        /// True while a request transfers its bodies, and reserves the sink and the progress handler.
        var isReceiving = false
        /// What the call waits for; nil while the call waits for a response.
        var pause: Pause?
        /// True if middleware sends a stream of its own instead of the route's body.
        var hasOtherBody = false
        /// The stream that the last attempt sends.
        var claim: BodyStreamClaim?
        /// Why the call was not retried after its last attempt.
        var note: String?
        /// A note that concerns all attempts of the call.
        var noteOfCall: String?
        /// The number of requests that were sent again with another signature.
        var signedAgain = 0
        /// True after the observers have received the call.
        var isTold = false
    }

    /// What a call can wait for, apart from a response.
    enum Pause {
        case queue(limit: Int, host: String, since: Duration)
        /// The app's transport has sent another call, and that call waits in a queue.
        case queueOfTransport(limit: Int, host: String)
        case refresh
        case step(String)
    }

    /// The call that the app's transport is sending. If the transport sends another call, that call reports here what
    /// it waits for.
    @TaskLocal static var sending: Call?

    package let record: CallRecord
    package let deadline: Deadline
    private let scope: APIScope?
    /// The route and the environment, which the record contains too.
    let route: Route
    let environment: Environment?
    let responder: Responder
    /// The sender of the client, which all calls of the client share.
    let sender: Sender
    /// The observers of the client. Observers of scopes are added later. The value is nil for a call that no observer
    /// receives.
    let observers: [any CallObserver]?
    /// Receives the body; nil to collect the body in memory.
    let sink: (any CallSink)?
    /// Receives the events of transfers; nil for a call that does not report its progress.
    let progress: ProgressHandler?
    /// The body of a call that returns when the head of its response arrives; nil for a call that returns the whole
    /// body.
    let streamedBody: (any StreamedBody)?
    private let state = Locked(State())

    init(
        _ decision: ResponderSelection.Decision, by sender: Sender, observers: [any CallObserver]?,
        into sink: (any CallSink)? = nil, progress: ProgressHandler? = nil, streamedBody: (any StreamedBody)? = nil
    ) {
        (record, deadline, scope) = (decision.context.record, decision.context.deadline, decision.context.scope)
        (route, environment) = (record.route, record.environment)
        responder = decision.responder
        self.sender = sender
        self.observers = observers
        self.sink = sink
        self.progress = progress
        self.streamedBody = streamedBody
    }

    /// The transport that answers the call.
    ///
    /// - Throws: ``APIError`` if neither mocks nor the network may answer.
    var transport: any Transport {
        get throws(APIError) {
            switch responder {
            case .mocks(let mocks): mocks
            case .network: sender.selection.transport
            case .nobody(let error): throw error
            }
        }
    }

    // MARK: Scope

    /// Records the responses of servers; nil if the scope does not record.
    var recorder: (any Middleware)? { scope?.settings.recorder }

    /// Returns a random identifier. If the scope has a seed, each run gets the same identifiers.
    func uuid() -> UUID {
        scope.random(isLive: responder.isNetwork) { numbers in
            // The identifier is a UUID of version 4 (RFC 9562 section 5.4).
            let high = numbers.next() & ~(0xF << 12) | 0x4 << 12
            let low = numbers.next() & ~(0b11 << 62) | 0b10 << 62
            return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
        }
    }

    /// Returns the wait before a retry. If the scope has a seed, each run gets the same waits.
    package func wait(_ backoff: RetryPolicy.Backoff, beforeRetry number: Int) -> Duration {
        scope.random(isLive: responder.isNetwork) { backoff.wait(beforeRetry: number, using: &$0) }
    }

    /// Returns the wait that the server requests with an error response.
    package func waitAsked(by error: APIError) -> Duration? { RetryAfter.wait(in: error.headers, now: deadline.date) }

    /// Returns the scope's own object instead of an object that the client shares between its calls. Tests that share a
    /// client therefore do not influence each other.
    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object {
        scope?.session.own(shared, make) ?? shared
    }

    /// Runs work in the call's scope. If the task has no scope, the call's scope may come from the client.
    func runInScope<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if let scope, APIScope.current == nil { return try await scope.bind(body) }
        return try await body()
    }

    // MARK: Body

    /// The body as a stream that is opened again for each request; nil if the route's body is not a stream.
    var bodyStream: BodyStream? {
        let (form, hasOtherBody) = state.withLock { ($0.form, $0.hasOtherBody) }
        if hasOtherBody { return nil }
        if case .stream(let stream)? = route.body, stream.written == nil { return stream }
        return form
    }

    /// Opens a new body stream for a request, because sending a request reads its stream to the end. Other calls cannot
    /// send the stream until this call ends or sends another stream.
    ///
    /// - Parameter claimed: the streams that calls are sending.
    @inline(never)
    func renewStream(of request: inout URLRequest, among claimed: Locked<Set<ObjectIdentifier>>) throws {
        let (isAgain, built) = record.read { ($0.attempts > 0, $0.built?.httpBodyStream) }
        // Middleware may replace the body, for example with an encrypted body.
        if !isAgain, bodyStream != nil, request.httpBodyStream !== built { state.withLock { $0.hasOtherBody = true } }
        if let body = bodyStream {
            do { try body.open(in: &request) } catch {
                let error = APIError(encoding: error)
                guard isAgain else { throw error }
                throw APIError(
                    .encoding,
                    "the request must be sent again, but its body cannot be read a second time: \(error.message)",
                    fix: error.fix, underlying: error)
            }
        } else if isAgain || request.httpBodyStream?.wasOpened == true {
            let fix = "send a route whose body is RequestBody.stream, which is opened again for every request"
            guard isAgain else { throw APIError(openedBefore: "the request's body stream", fix: fix) }
            throw APIError(.encoding, "the request must be sent again, but its body stream is used up", fix: fix)
        }
        guard let stream = request.httpBodyStream else { return }
        state.withLock { $0.claim = nil }
        let claim = try BodyStreamClaim(stream, among: claimed)
        state.withLock { $0.claim = claim }
    }

    /// Writes a body, such as a form, to a file if the body is too large for memory. The file is complete before the
    /// request is sent.
    ///
    /// - Returns: the body as a stream; nil for a small body.
    @inline(never)
    func formInFile(_ body: any WrittenBody) async throws -> BodyStream? {
        pause(for: .step("writing the form"))
        defer { goOn() }
        do {
            let spooled = try await deadline.run(or: self.timedOut) { try await body.spooled() }
            state.withLock { $0.form = spooled }
            return spooled
        } catch is CancellationError {
            throw APIError(.cancelled, "the task was cancelled while its form was written")
        }
    }

    /// Deletes the form's temporary file. Otherwise, the file would exist until the task ends, and the task may outlive
    /// the call.
    func removeForm() { state.withLock { $0.form = nil } }

    // MARK: Sending

    /// Stores a request that is about to be sent: the original request, a redirect, or a retry.
    ///
    /// - Parameter redirector: the request whose response redirected to this request.
    /// - Throws: ``APIError`` if the timeout has passed on the scope's clock. The deadline's watch cannot notice this,
    ///   because it uses the system's clock.
    func beginAttempt(_ request: URLRequest, redirectedFrom redirector: URLRequest?) throws(APIError) {
        let now = try deadline.check(or: timedOut)
        state.withLock { ($0.note, $0.pause) = (nil, nil) }
        record.beginAttempt(request, redirectedFrom: redirector, at: now)
    }

    /// Reserves the sink and the progress handler of the call for one request.
    ///
    /// - Throws: ``APIError`` if middleware sends two requests at the same time.
    func beginTransfer() throws(APIError) {
        let isFree = state.withLock { state in
            defer { state.isReceiving = true }
            return !state.isReceiving
        }
        guard isFree else {
            throw APIError(
                .invalidRoute, "middleware sends two requests at once, and this call transfers one body at a time",
                fix: "send one after the other, or send two calls")
        }
    }

    /// Releases the sink and the progress handler for the next request.
    func endTransfer() { state.withLock { $0.isReceiving = false } }

    /// Counts a request that is signed again and sent again. Returns false if the call has already sent two requests
    /// again with a new signature.
    func maySignAgain() -> Bool {
        state.withLock { state in
            state.signedAgain += 1
            return state.signedAgain <= 2
        }
    }

    /// True if all bodies of the call share one sink or one progress handler.
    var hasOneBody: Bool { sink != nil || progress != nil }

    /// The sink, if it can resume a body that was received in part.
    var resumingSink: (any ResumingSink)? { sink as? any ResumingSink }

    /// Creates the transfer of a response.
    ///
    /// - Parameter maximumSize: the maximum size of a body in memory, in bytes. The maximum does not apply to the
    ///   response of a mock if the response stays in memory.
    @inline(never)
    func transfer(into sink: (any CallSink)?, maximumSize: Int) -> Transfer {
        let maximumSize = responder.isNetwork || sink != nil ? maximumSize : .max
        let transfer = Transfer(sink, maximumSize: maximumSize, progress: progress)
        state.withLock { $0.transfer = transfer }
        return transfer
    }

    // MARK: The end of the body

    /// True if the call returns when the head of its response arrives.
    var isStreamed: Bool { streamedBody != nil }

    /// Ends the connection and deletes partial data, because the call has failed.
    @inline(never)
    func discard() {
        state.withLock { $0.transfer }?.end()
        sink?.discard()
        streamedBody?.discard()
    }

    // MARK: Pauses

    /// Stores what the call waits for.
    @inline(never)
    func pause(for pause: Pause) { state.withLock { $0.pause = pause } }

    /// Ends the pause.
    @inline(never)
    func goOn() { state.withLock { $0.pause = nil } }

    /// Waits before the next attempt, for a duration that ends before the deadline.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait(_ duration: Duration) async throws {
        record.wait(duration)
        pause(for: .step("the wait before the next attempt"))
        defer { goOn() }
        try await deadline.pause(duration)
    }

    /// Waits until the limiter permits the call.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; ``APIError`` if the timeout has passed during the
    ///   wait.
    func queue(_ limiter: CallLimiter, for origin: Origin) async throws -> CallLimiter.Place {
        let host = origin.host ?? "the host"
        pause(for: .queue(limit: limiter.limit, host: host, since: deadline.elapsed))
        let outer = Self.sending
        outer?.pause(for: .queueOfTransport(limit: limiter.limit, host: host))
        defer {
            goOn()
            outer?.goOn()
        }
        let place = try await limiter.wait(at: origin)
        do { try deadline.check(or: timedOut) } catch {
            place.leave()
            throw error
        }
        return place
    }

    /// Runs a closure that refreshes a token.
    ///
    /// - Throws: the error of the refresh; ``APIError`` if the timeout has passed during the refresh.
    func refreshing<Value>(_ body: () async throws -> Value) async throws -> Value {
        pause(for: .refresh)
        defer { goOn() }
        let value = try await body()
        try deadline.check(or: timedOut)
        return value
    }

    // MARK: End

    /// Releases the body stream, so that other calls can send it even while the task that ran this call continues.
    /// Returns true only the first time, so that observers are notified once.
    func end() -> Bool {
        state.withLock { state in
            defer { (state.claim, state.isTold) = (nil, true) }
            return !state.isTold
        }
    }

    /// The size of the last response's body in bytes; nil if there is no response.
    var receivedSize: Int64? {
        let size = record.read { $0.received.last.map { Int64($0.data.count) } }
        let passed = state.withLock { $0.transfer }?.received
        return size.map { max($0, passed ?? 0) } ?? passed
    }

    /// Stores a sentence for the call's error: why the call was not retried.
    func addNote(_ note: String) { state.withLock { $0.note = note } }

    /// Stores a sentence for the call's error: a note about all attempts.
    func addNoteOfCall(_ note: String) { state.withLock { $0.noteOfCall = note } }

    var notes: [String] { state.withLock { [$0.noteOfCall, $0.note].compactMap(\.self) } }

    /// True if the session may delay the head of a stream until more bytes arrive.
    var mayBeHeldBack: Bool { isStreamed && responder.isNetwork && URLSessionTransport.holdsBackHeads }

    /// The error for a call that is not complete at its deadline.
    var timedOut: APIError {
        let (pause, transfer) = state.withLock { ($0.pause, $0.transfer) }
        let (attempts, isSending) = record.read { ($0.attempts, $0.isSending) }
        let timeout = deadline.timeout.text
        let times = attempts == 1 ? "once" : "\(attempts) times"
        let sent = attempts == 0 ? "nothing was sent" : "the request had been sent \(times)"
        let (message, fix): (String, String)
        switch pause {
        case .queue(let limit, let host, let since)?:
            message = "waited \((deadline.elapsed - since).text) for one of \(limit) connections to \(host); \(sent)"
            fix = "send fewer calls at once, or raise the timeout or the configuration's maximumCallsPerHost"
        case .queueOfTransport(let limit, let host)?:
            message =
                "the transport sent another call, which waited for one of \(limit) connections to \(host), while this "
                + "call has one of them"
            fix = "send that call with another client, or raise the configuration's maximumCallsPerHost"
        case .refresh?:
            message = "the token was not refreshed within \(timeout)"
            fix = "check the closure of Authorization.refreshing, or raise the timeout"
        case .step(let name)?:
            message = "\(name) took longer than \(timeout); \(sent)"
            fix = "check it, or raise the timeout"
        case nil where isSending && transfer?.isWaitingForConnection == true:
            return APIError(
                .offline,
                "there was no connection to the internet, or the server did not answer once there was one, within "
                    + timeout, fix: "try again when there is one, or raise the timeout")
        case nil:
            guard isSending, let received = transfer?.received else {
                return .noResponse(within: deadline.timeout, mayBeHeldBack: isSending && mayBeHeldBack)
            }
            message =
                "the response was not complete within \(deadline.timeout): its head had come, and \(received) bytes of "
                + "its body"
            fix = "raise the timeout, or check the server"
        }
        return APIError(.timedOut, message, fix: fix)
    }
}

/// The record, the scope and the deadline of a call.
package struct CallContext: Sendable {
    package let record: CallRecord
    package let scope: APIScope?
    package let deadline: Deadline
}

/// Creates the handler of a call's progress events.
package typealias ProgressMaker =
    @Sendable (_ call: CallContext, _ sink: (any CallSink)?, _ isMocked: Bool) -> ProgressHandler

extension CallRecord {
    /// Creates the record of a call, and adds it to the logs of its scope and of the enclosing scopes.
    convenience init(
        _ route: consuming Route, _ environment: Environment?, clientCredentials: [String] = [], in scope: APIScope?
    ) {
        self.init(
            route, environment, clientCredentials: clientCredentials, observers: scope?.observers ?? [],
            values: scope?.values, note: scope?.session.note())
        scope?.began(self)
    }
}
