import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The history of a call, and its waits, which pass on the scope's clock.
extension Call {
    // MARK: Time

    /// The time since the call began, on the scope's clock.
    var elapsed: Duration { decision.entry?.elapsed ?? systemElapsed }

    /// The time since a fixed point, on the scope's clock.
    var time: @Sendable () -> Duration {
        if let time = decision.scope?.log.time { return time.elapsed }
        return { [start] in ContinuousClock.now - start }
    }

    /// The date, which passes on the scope's clock.
    var date: Date { decision.scope?.log.time.date() ?? Date() }

    /// Waits on the scope's clock before the next attempt.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait(_ duration: Duration) async throws {
        state.withLock { ($0.wait, $0.pause) = (duration, .step("the wait before the next attempt")) }
        defer { state.withLock { $0.pause = nil } }
        if let time = decision.scope?.log.time {
            try await time.sleep(duration)
        } else {
            try await Task.sleep(for: duration)
        }
    }

    /// The wait before a retry, from the scope's random numbers.
    func backoff(_ backoff: RetryPolicy.Backoff, beforeRetry number: Int) -> Duration {
        guard let scope = decision.scope else {
            var generator = SystemRandomNumberGenerator()
            return backoff.wait(beforeRetry: number, using: &generator)
        }
        return scope.chance.random { backoff.wait(beforeRetry: number, using: &$0) }
    }

    // MARK: History

    /// Stores the outcome of the last attempt, because another one may follow.
    func endAttempt(_ result: Result<Response<Data>, any Error>) {
        let now = elapsed
        state.withLock { state in
            state.isSending = false
            guard let request = state.request, state.earlier.count < state.attempts else { return }
            let timing = state.timing(at: now)
            let attempt: Attempt =
                switch result {
                case .success(let response):
                    Attempt(request, status: response.status, timing)
                case .failure(let error):
                    Attempt(request, error: APIError(transport: error).message, timing)
                }
            state.earlier.append(attempt)
            state.wait = .zero
        }
    }

    /// Removes secrets from the texts of attempts.
    func withoutSecrets(_ attempts: [Attempt]) -> [Attempt] {
        let redactor = redactor
        return attempts.map { $0.mapTexts(redactor.redact) }
    }

    /// Explains in the call's error why the call was not sent again.
    func addNote(_ note: String) { state.withLock { $0.note = note } }

    // MARK: Pauses

    /// The token that the last request was sent with; nil if it cannot be replaced.
    var sentToken: TokenRefresher.Use? {
        let (request, credentials) = state.withLock { ($0.request, $0.added) }
        // A redirect to another origin drops the credentials.
        return credentials.first {
            $0.renewable != nil && request?.value(forHTTPHeaderField: $0.name.rawValue) == $0.value
        }?.renewable
    }

    /// Waits for a place among the calls to a host.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; ``APIError`` when the timeout has passed meanwhile.
    func queue(_ limiter: CallLimiter, for origin: Origin) async throws -> CallLimiter.Place {
        let since = elapsed
        state.withLock { $0.pause = .queue(limit: limiter.limit, host: origin.host ?? "the host", since: since) }
        defer { state.withLock { $0.pause = nil } }
        let place = try await limiter.wait(at: origin)
        // On the scope's clock, the deadline may have passed: nothing else watches that clock.
        if elapsed >= decision.timeout {
            place.leave()
            throw timedOut
        }
        return place
    }

    /// Stores what the call waits for until it is sent: a step whose time the app decides.
    func pause(for step: String) { state.withLock { $0.pause = .step(step) } }

    /// Runs the refresh of a token.
    ///
    /// - Throws: the error of the refresh; ``APIError`` when the timeout has passed meanwhile.
    func refreshing<Value>(_ body: () async throws -> Value) async throws -> Value {
        state.withLock { $0.pause = .refresh }
        defer { state.withLock { $0.pause = nil } }
        let value = try await body()
        if elapsed >= decision.timeout { throw timedOut }
        return value
    }

    /// The error at the deadline.
    var timedOut: APIError {
        let (pause, attempts, isSending, transfer) = state.withLock { state in
            (state.pause, state.attempts, state.isSending, state.transfer)
        }
        let sent =
            switch attempts {
            case 0: "nothing was sent"
            case 1: "the request had been sent once"
            default: "the request had been sent \(attempts) times"
            }
        switch pause {
        case .queue(let limit, let host, let since)?:
            return APIError(
                .timedOut, "waited \((elapsed - since).text) for one of \(limit) connections to \(host); \(sent)",
                fix: "send fewer calls at once, or raise the timeout or the configuration's maximumCallsPerHost")
        case .refresh?:
            return APIError(
                .timedOut, "the token was not refreshed within \(decision.timeout.text)",
                fix: "check the closure of Authorization.refreshing, or raise the timeout")
        case .step(let name)?:
            return APIError(
                .timedOut, "\(name) took longer than \(decision.timeout.text); \(sent)",
                fix: "check it, or raise the timeout")
        case nil where isSending && transfer?.isWaitingForConnection == true:
            return APIError(
                .offline, "there was no connection to the internet within \(decision.timeout.text)",
                fix: "try again when there is one, or raise the timeout")
        case nil:
            guard isSending, let received = transfer?.received else { return .noResponse(within: decision.timeout) }
            return APIError(
                .timedOut,
                "the response was not complete within \(decision.timeout): its head had come, and \(received) bytes "
                    + "of its body", fix: "raise the timeout, or check the server")
        }
    }
}

extension Duration {
    /// The duration for messages, in seconds with at most one digit for tenths: `0.8 s`.
    var text: String {
        let seconds = (self / .seconds(1) * 10).rounded() / 10
        return (Int(exactly: seconds).map(String.init) ?? "\(seconds)") + " s"
    }
}
