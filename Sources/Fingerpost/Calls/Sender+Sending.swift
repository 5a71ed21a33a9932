import FingerpostFiles
import Foundation

// This table shows the path of a call. `run` calls `response(to:)`, which calls the function in the next row of this
// table, and so on down to `transmit`. Each function is a step, and a call skips the steps that it does not need. Last,
// `run` passes the response to `value(of:)`.
//
// | Function | Handles | With the rules of |
// |---|---|---|
// | `run` | any error of the call | `Call+Outcome` |
// | `response(to:)` | the request that is built, and the deadline | `RequestBuilder`, `Deadline` |
// | `sendThroughMiddleware` | a request that the app's middleware changes or repeats | `Middleware` |
// | `sendRetrying` | a status of `RetryPolicy`, such as 429; a lost connection; a 416 | `Retries`, `ResumingSink` |
// | `sendAuthorizing` | credentials; 401 | `Sender+Credentials`, `Renewals` |
// | `sendLimited` | the limit of calls to one host; recorders | `CallLimiter` |
// | `sendFollowingRedirects` | 301, 302, 303, 307, 308 | `Redirects` |
// | `sendSigned` | signatures of the request; a signer that requests a repetition | `Signing` |
// | `sendOnce` | one request: its body stream, its signature and its record | `Call` |
// | `exchange` | a call that returns the whole response | `Transfer` |
// | `open` | a call that returns at the head of the response | `StreamedBody` |
// | `push` | a body that ends too early | `Renewals` |
// | `transmit` | a server that is silent for too long: the idle limit | `DeadlineWatch` |
// | `value(of:)` | validation and decoding, which the deadline does not limit | `ResponseReader` |
//
// While a call waits for a new token, it does not count towards the limit, because the call that renews the token may
// have to wait for the same limit. Thousands of calls may wait at the same time. A suspended `async` function keeps
// memory for all its local values, including those of inlined functions. Steps with large values are therefore
// `@inline(never)`.
extension Sender {
    /// Runs one call, from its route to the result.
    ///
    /// - Parameters:
    ///   - prebuilt: a request that other code built; nil to build the request from the route.
    ///   - type: the type that `read` decodes, for the log and for decoding errors.
    ///   - read: turns a successful response into the value that the call returns.
    /// - Throws: ``APIError``, with the context of the call and without secrets.
    func run<Value: Sendable>(
        _ call: Call, prebuilt: URLRequest? = nil, decoding type: Any.Type = Data.self,
        read: (Response<Data>) throws -> Value
    ) async throws(APIError) -> Value {
        do {
            let response = try await response(to: call, prebuilt)
            return try value(of: response, for: call, as: type, read)
        } catch {
            call.discard()
            throw call.failure(error)
        }
    }

    /// Runs one call, from its route to a response that is not yet validated.
    @inline(never)
    private func response(to call: Call, _ prebuilt: URLRequest?) async throws -> Response<Data> {
        if case .nobody(let error) = call.responder { throw error }
        var form: BodyStream?
        // Forms and middleware take time in which another user may sign in, so the account is stored first.
        if let body = call.route.writtenBody {
            try await begin(call)
            form = try await call.formInFile(body)
        } else if !middleware.isEmpty {
            try await begin(call)
        }
        let request = try request(of: call, prebuilt, form: form)
        try call.resumingSink?.prepare()
        // If a mock answers and no code of the app runs, the call needs no watch, because a mock's delay ends at the
        // deadline.
        if !call.responder.mayNeverReturn, !isSeen, configuration.authorization == nil {
            return try await sendRetrying(request, of: call)
        }
        let through = middleware.isEmpty ? nil : sendThroughMiddleware(of: call)
        return try await call.runInScope {
            try await call.deadline.run(or: call.reachDeadline()) { [self] in
                if let through { return try await through(request) }
                return try await sendRetrying(request, of: call)
            }
        }
    }

    /// Chains the client's middleware before `sendRetrying`. Middleware sees neither credentials nor single attempts.
    /// If middleware sends a request twice, the second request counts its retries and renewals from zero.
    private func sendThroughMiddleware(of call: Call) -> Middleware.Next {
        call.pause(for: .step("the client's middleware"))
        return Self.chain(middleware, for: call.route) { [self] request in
            defer { call.pause(for: .step("the client's middleware")) }
            return call.hidden(try await sendRetrying(request, of: call))
        }
    }

    /// Sends a request again after a temporary failure.
    @inline(never)
    private func sendRetrying(_ request: URLRequest, of call: Call) async throws -> Response<Data> {
        var retries = try Retries(of: call)
        var renewals = Renewals()
        while true {
            let outcome = try await sendAuthorizing(request, of: call, counting: &renewals)
            // The app's rule decides about successful responses too.
            if outcome.isSuccess, retries?.rule == nil { return try outcome.get() }
            call.endAttempt(outcome)
            if call.sink?.hasDelivered == true { return try outcome.get() }
            // If the response does not continue the partial file of a download, request the whole body, but only once.
            if call.resumingSink?.startsOver(after: outcome) == true, !Task.isCancelled { continue }
            guard try await retries?.wait(after: outcome, to: request) == true else { return try outcome.get() }
        }
    }

    /// Sends a request with the client's credentials. If the server rejects the token, this method sends the request
    /// again with another token.
    ///
    /// - Throws: an error that ends the call, because credentials are missing or a token cannot be renewed.
    @inline(never)
    private func sendAuthorizing(
        _ request: URLRequest, of call: Call, counting renewals: inout Renewals
    ) async throws -> Outcome {
        // Most calls of a client without authorization skip the steps below, because these calls add no credentials and
        // require none.
        if !mayAuthorize, !call.route.authorization.isStrict, call.route.headers.keys.isEmpty,
            authorizationNames.withLock(\.isEmpty)
        {
            return try await sendLimited(request, of: call)
        }
        while true {
            let (request, signing) = try await authorized(request, of: call)
            let outcome = try await sendLimited(request, of: call, signedBy: signing)
            // A new token does not help a request whose signature the server rejects.
            guard signing?.wantsAgain != true, case .success(let response) = outcome,
                let token = call.record.rejectedToken(by: response),
                try await renewals.renew(token, after: response, to: request, of: call)
            else { return outcome }
        }
    }

    /// Waits until the limit of calls to the host permits the request, then sends the request.
    @inline(never)
    private func sendLimited(
        _ request: URLRequest, of call: Call, signedBy signing: Signing? = nil
    ) async throws -> Outcome {
        // If middleware sends a second request, end the stream of the first request, because this stream would still
        // count towards the limit.
        call.streamedBody?.end()
        let place = call.responder.isNetwork ? try await takePlace(for: request, of: call) : nil
        let record = recording(call) { [self] in try await sendFollowingRedirects($0, of: call, signedBy: signing) }
        // After a cancellation, the request does not count towards the limit, even if the transport ignores the
        // cancellation.
        let outcome = await withTaskCancellationHandler {
            do {
                if let record { return Outcome.success(try await record(request)) }
                return .success(try await sendFollowingRedirects(request, of: call, signedBy: signing))
            } catch { return .failure(error) }
        } onCancel: {
            place?.leave()
        }
        // A stream counts towards the limit until its body ends, because it has an open connection.
        if let place, !(outcome.isSuccess && call.streamedBody?.whenOver(place.leave) == true) { place.leave() }
        return outcome
    }

    /// Sends a request and follows redirects, until a response is not a redirect.
    private func sendFollowingRedirects(
        _ request: URLRequest, of call: Call, signedBy signing: Signing?
    ) async throws -> Response<Data> {
        var request = request
        var redirector: URLRequest?
        for _ in 0...Redirects.maximum {
            try Task.checkCancellation()
            let response =
                if let signing {
                    try await sendSigned(request, redirectedFrom: redirector, of: call, by: signing)
                } else {
                    try await sendOnce(request, redirectedFrom: redirector, of: call)
                }
            // The next request gets its own signature, so it starts from the unsigned request.
            let base = signing == nil ? nil : request
            // If a mock answers with a redirect, return the redirect, because it is the response under test, and no
            // server answers at its target.
            guard Redirects.statuses.contains(response.status), response.source == .network,
                call.route.redirects == .follow,
                let next = try Redirects.next(
                    after: response, to: base, credentials: call.record.read { $0.added + $0.own })
            else { return response }
            call.endAttempt(.success(response))
            request = next
            redirector = response.request
        }
        throw APIError(.transport, "more than \(Redirects.maximum) redirects")
    }

    /// Sends one request with a signature. If a signer requests a repetition, this method signs and sends the request
    /// again, at most twice in a call. The signers receive the outcome of each request. After a redirect to another
    /// server, requests are unsigned.
    @inline(never)
    private func sendSigned(
        _ request: URLRequest, redirectedFrom redirector: URLRequest?, of call: Call, by signing: Signing
    ) async throws -> Response<Data> {
        guard signing.includes(request.url) else {
            return try await sendOnce(request, redirectedFrom: redirector, of: call)
        }
        var isAgain = false
        while true {
            let outcome: Outcome
            do {
                outcome = .success(try await sendOnce(request, redirectedFrom: redirector, of: call, signedBy: signing))
            } catch { outcome = .failure(error) }
            guard await signing.wantsAgain(after: outcome), !isAgain, call.maySignAgain() else {
                return try outcome.get()
            }
            isAgain = true
            call.endAttempt(outcome)
            call.streamedBody?.end()
            try Task.checkCancellation()
        }
    }

    /// Sends one request: the first request, a redirect, a retry, or a request with a new token or signature.
    private func sendOnce(
        _ request: URLRequest, redirectedFrom redirector: URLRequest?, of call: Call, signedBy signing: Signing? = nil
    ) async throws -> Response<Data> {
        if call.hasOneBody { try call.beginTransfer() }
        defer { if call.hasOneBody { call.endTransfer() } }
        var request = request
        if request.httpBodyStream != nil { try call.renewStream(of: &request, among: streams) }
        try call.resumingSink?.adapt(&request, credentials: call.record.read { $0.added + $0.own })
        call.progress?(.starts(request.bodySize))
        if let signing { request = try await signing.signed(request) }
        try call.beginAttempt(request, redirectedFrom: redirector)
        guard hasTransportOfApp, call.responder.isNetwork else { return try await exchange(request, of: call) }
        // If the app's transport sends another call, that call reports to this call what it waits for.
        return try await Call.$sending.withValue(call) { [request] in try await exchange(request, of: call) }
    }

    /// Passes a request to the transport that answers, and returns the response.
    private func exchange(_ request: URLRequest, of call: Call) async throws -> Response<Data> {
        if let body = call.streamedBody { return try await open(body, request, of: call) }
        // If the call has neither a sink nor a progress handler, the response of a mock needs no transfer.
        guard call.responder.isNetwork || call.hasOneBody else {
            return call.received(try await call.transport.send(request, for: call.route))
        }
        // Middleware may send two requests concurrently, so each request has its own transfer.
        let transfer = call.transfer(into: call.sink, maximumSize: configuration.maximumResponseSize)
        defer { transfer.end() }
        try await push(request, of: call, into: transfer)
        return try call.received(by: transfer)
    }

    /// Sends one request whose response is a stream. If the response is successful, returns when its head has arrived.
    /// Otherwise, returns when the whole response has arrived.
    @inline(never)
    private func open(
        _ streamedBody: any StreamedBody, _ request: URLRequest, of call: Call
    ) async throws -> Response<Data> {
        let body = try streamedBody.begin()
        let transfer = call.transfer(into: body, maximumSize: configuration.maximumResponseSize)
        let head = try await body.open { [self] in try await push(request, of: call, into: transfer) }
        return try head.map { call.received(Response($0, data: Data())) } ?? call.received(by: transfer)
    }

    /// Sends one request. If the body ends too early, this method throws an error, unless the response rejects a token.
    /// After such a response, the client replaces the token and sends the request again.
    @inline(never)
    private func push(_ request: URLRequest, of call: Call, into transfer: Transfer) async throws {
        do { try await transmit(request, of: call, into: transfer) } catch {
            let failure = APIError(transport: error)
            guard !(error is APIError), failure.underlying is URLError, failure.kind != .cancelled,
                let part = transfer.part
            else { throw error }
            if !part.isSuccess, call.record.asksForNewToken(part) { return }
            throw failure.adding(call.received(part))
        }
    }

    /// Sends one request, and cancels it if the server is silent for longer than the idle timeout.
    @inline(never)
    private func transmit(_ request: URLRequest, of call: Call, into transfer: Transfer) async throws {
        let transport = try call.transport
        guard call.responder.isNetwork, let limit = call.deadline.idleTimeout else {
            return try await transport.send(request, for: call.route, into: transfer)
        }
        try await call.deadline.watch.run(
            within: limit, since: transfer.last,
            or: .idle(for: limit, afterBytes: transfer.received, mayBeHeldBack: call.mayBeHeldBack)
        ) { try await transport.send(request, for: call.route, into: transfer) }
    }

    /// Completes, validates and decodes a response.
    @inline(never)
    private func value<Value>(
        of response: consuming Response<Data>, for call: Call, as type: Any.Type,
        _ read: (Response<Data>) throws -> Value
    ) throws -> Value {
        call.complete(&response)
        if !response.isSuccess { explainWithheldCredentials(call, response) }
        try reader.check(response, of: call.route)
        call.record.willDecode(type)
        let value: Value
        do {
            call.progress?(.succeeded(Int64(response.data.count)))
            try call.sink?.finish(response)
            value = try read(response)
        } catch {
            throw call.failure(error, of: response, as: type, readBy: reader)
        }
        if call.streamedBody == nil {
            call.finish()
            call.record.close()
        }
        return value
    }
}
