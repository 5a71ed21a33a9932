import FingerpostFiles
import Foundation

/// One call, from its route to its end: what it sends with, and what it waits for. What happened is in its record.
package final class Call: Sendable {
    private struct State {
        /// The route's body, if it was written to a file.
        var form: BodyStream?
        /// The transfer of the last attempt; nil for an attempt that a mock answers with a whole response.
        var transfer: Transfer?
        /// True while a request has the one place of the call's bodies.
        var isReceiving = false
        /// What the call waits for, other than its response.
        var pause: Pause?
        /// True if middleware sends a stream of its own in place of the route's body.
        var hasOtherBody = false
        /// The stream that the last attempt sends.
        var claim: BodyStreamClaim?
        /// Why the call was not retried after its last attempt.
        var note: String?
        /// The same for all attempts.
        var noteOfCall: String?
        /// How often a request was sent once more with another signature.
        var signedAgain = 0
        /// True when the observers have received the call.
        var isTold = false
    }

    /// What a call waits for, other than its response.
    enum Pause {
        case queue(limit: Int, host: String, since: Duration)
        /// A call that the transport sends is in a queue.
        case queueOfTransport(limit: Int, host: String)
        case refresh
        case step(String)
    }

    /// The call that the app's transport is sending. Another call that the transport sends tells it what it waits for.
    @TaskLocal static var sending: Call?

    package let record: CallRecord
    package let deadline: Deadline
    private let scope: APIScope?
    /// The route and the environment, as in the record.
    let route: Route
    let environment: Environment?
    let responder: Responder
    /// What the calls of the client share.
    let sender: Sender
    /// The observers beside those of its scopes; nil for an error that no observer hears of.
    let observers: [any CallObserver]?
    /// Receives the body; nil to collect the body in memory.
    let sink: (any CallSink)?
    /// Hears of the bytes that pass; nil for a call that does not report its progress.
    let progress: ProgressHandler?
    /// The body that is read as it arrives; nil for a call that returns the whole body.
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

    /// The transport that answers.
    ///
    /// - Throws: ``APIError`` if nobody answers.
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

    /// Records the responses of servers; nil if nothing records them.
    var recorder: (any Middleware)? { scope?.settings.recorder }

    /// A random identifier; the same in each run if the scope has a seed for the call.
    func uuid() -> UUID {
        scope.random(isLive: responder.isNetwork) { numbers in
            // Version 4 of RFC 9562 section 5.4.
            let high = numbers.next() & ~(0xF << 12) | 0x4 << 12
            let low = numbers.next() & ~(0b11 << 62) | 0b10 << 62
            return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
        }
    }

    /// The wait before a retry; the same in each run if the scope has a seed for the call.
    package func wait(_ backoff: RetryPolicy.Backoff, beforeRetry number: Int) -> Duration {
        scope.random(isLive: responder.isNetwork) { backoff.wait(beforeRetry: number, using: &$0) }
    }

    /// The wait that the server asks for with an error.
    package func waitAsked(by error: APIError) -> Duration? { RetryAfter.wait(in: error.headers, now: deadline.date) }

    /// The scope's own object in place of one that a client shares. Tests that share a client do not share it.
    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object {
        scope?.session.own(shared, make) ?? shared
    }

    /// Runs work in the scope, which may be the client's scope instead of the task's.
    func runInScope<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if let scope, APIScope.current == nil { return try await scope.bind(body) }
        return try await body()
    }

    // MARK: Body

    /// The body as a stream, which is opened again for every request; nil if the route has none.
    var bodyStream: BodyStream? {
        let (form, hasOtherBody) = state.withLock { ($0.form, $0.hasOtherBody) }
        if hasOtherBody { return nil }
        if case .stream(let stream)? = route.body, stream.written == nil { return stream }
        return form
    }

    /// Opens a new body stream for a request, because sending reads a stream to its end. Other calls cannot send the
    /// stream until this call ends or sends another one.
    ///
    /// - Parameter claimed: the streams that calls are sending.
    @inline(never)
    func renewStream(of request: inout URLRequest, among claimed: Locked<Set<ObjectIdentifier>>) throws {
        let (isAgain, built) = record.read { ($0.attempts > 0, $0.built?.httpBodyStream) }
        // Middleware may replace the body, for example by an encrypted one.
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

    /// Writes a body that is written before its request, such as a form, to a file if it is too large for memory.
    ///
    /// - Returns: the body as a stream; nil for a small one.
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

    /// Deletes the form's temporary file: the task that ran the call may outlive the call.
    func removeForm() { state.withLock { $0.form = nil } }

    // MARK: Sending

    /// Stores a request that is about to be sent: the original request, a redirect, or a retry by middleware.
    ///
    /// - Parameter redirector: the request whose response redirected to this one.
    /// - Throws: ``APIError`` when the timeout has passed on the scope's clock, which nothing else watches.
    func beginAttempt(_ request: URLRequest, redirectedFrom redirector: URLRequest?) throws(APIError) {
        let now = try deadline.check(or: timedOut)
        state.withLock { ($0.note, $0.pause) = (nil, nil) }
        record.beginAttempt(request, redirectedFrom: redirector, at: now)
    }

    /// Takes the one place of the call's bodies, before a request changes or counts anything there.
    ///
    /// - Throws: ``APIError`` while another body goes there, because middleware sends two requests at once.
    func beginTransfer() throws(APIError) {
        let isFree = state.withLock { state in
            defer { state.isReceiving = true }
            return !state.isReceiving
        }
        guard isFree else {
            throw APIError(
                .invalidRoute, "middleware sends two requests at once, and this call has one place for their bodies",
                fix: "send one after the other, or send two calls")
        }
    }

    /// Gives up the place of the call's bodies.
    func endTransfer() { state.withLock { $0.isReceiving = false } }

    /// Counts a request that is sent once more with another signature. Returns false if the call has had two of them.
    func maySignAgain() -> Bool {
        state.withLock { state in
            state.signedAgain += 1
            return state.signedAgain <= 2
        }
    }

    /// True if all bodies of the call go into one sink, or are counted in one progress.
    var hasOneBody: Bool { sink != nil || progress != nil }

    /// The sink, if it can ask for a part of the body.
    var resumingSink: (any ResumingSink)? { sink as? any ResumingSink }

    /// Begins the transfer of a response.
    ///
    /// - Parameter maximumSize: the maximum size of a body in memory, in bytes. What a mock alone answers has none.
    @inline(never)
    func transfer(into sink: (any CallSink)?, maximumSize: Int) -> Transfer {
        let maximumSize = responder.isNetwork || sink != nil ? maximumSize : .max
        let transfer = Transfer(sink, maximumSize: maximumSize, progress: progress)
        state.withLock { $0.transfer = transfer }
        return transfer
    }

    // MARK: The end of the body

    /// True if the call returns at the head of its response.
    var isStreamed: Bool { streamedBody != nil }

    /// Ends the connection, and deletes partial data, because the call has failed.
    @inline(never)
    func discard() {
        state.withLock { $0.transfer }?.end()
        sink?.discard()
        streamedBody?.discard()
    }

    // MARK: Pauses

    /// Stores what the call waits for until it is sent or goes on.
    @inline(never)
    func pause(for pause: Pause) { state.withLock { $0.pause = pause } }

    /// Ends the pause.
    @inline(never)
    func goOn() { state.withLock { $0.pause = nil } }

    /// Waits before the next attempt, for which the deadline has room.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait(_ duration: Duration) async throws {
        record.wait(duration)
        pause(for: .step("the wait before the next attempt"))
        defer { goOn() }
        try await deadline.pause(duration)
    }

    /// Waits for a place among the calls to a host.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; ``APIError`` when the timeout has passed meanwhile.
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

    /// Runs the refresh of a token.
    ///
    /// - Throws: the error of the refresh; ``APIError`` when the timeout has passed meanwhile.
    func refreshing<Value>(_ body: () async throws -> Value) async throws -> Value {
        pause(for: .refresh)
        defer { goOn() }
        let value = try await body()
        try deadline.check(or: timedOut)
        return value
    }

    // MARK: End

    /// Lets other calls send the stream: the task that ran the call may outlive the call. Returns true for the first
    /// caller, who tells the observers.
    func end() -> Bool {
        state.withLock { state in
            defer { (state.claim, state.isTold) = (nil, true) }
            return !state.isTold
        }
    }

    /// The size of the last response's body, in bytes; nil without a response.
    var receivedSize: Int64? {
        let size = record.read { $0.received.last.map { Int64($0.data.count) } }
        let passed = state.withLock { $0.transfer }?.received
        return size.map { max($0, passed ?? 0) } ?? passed
    }

    /// Explains in the call's error why the call was not retried.
    func addNote(_ note: String) { state.withLock { $0.note = note } }

    /// Adds a sentence about all attempts to the error of the call.
    func addNoteOfCall(_ note: String) { state.withLock { $0.noteOfCall = note } }

    var notes: [String] { state.withLock { [$0.noteOfCall, $0.note].compactMap(\.self) } }

    /// True if the session may hold back the head of the response for bytes of a stream that do not come.
    var mayBeHeldBack: Bool { isStreamed && responder.isNetwork && URLSessionTransport.holdsBackHeads }

    /// The error at the deadline.
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

/// What a call runs with, from mocks or the network.
package struct CallContext: Sendable {
    package let record: CallRecord
    package let scope: APIScope?
    package let deadline: Deadline
}

/// Makes what hears of the progress of a call.
package typealias ProgressMaker =
    @Sendable (_ call: CallContext, _ sink: (any CallSink)?, _ isMocked: Bool) -> ProgressHandler

extension CallRecord {
    /// Begins the record of a call, in its scope and the enclosing scopes.
    convenience init(
        _ route: consuming Route, _ environment: Environment?, clientCredentials: [String] = [], in scope: APIScope?
    ) {
        self.init(
            route, environment, clientCredentials: clientCredentials, observers: scope?.observers ?? [],
            values: scope?.values, note: scope?.session.note())
        scope?.began(self)
    }
}
