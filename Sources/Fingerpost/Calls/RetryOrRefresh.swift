import FingerpostFiles
package import Foundation

/// Decides whether a call's request is retried: with a new token in place of an expired one, or after a failure that
/// may pass.
///
/// | Outcome | Retried |
/// |---|---|
/// | a response that rejects a token of ``Authorization/refreshing(_:when:_:)`` | at once, with another token |
/// | 416, or a part that does not fit, to a resumed download | once, at once, from the start of the body |
/// | a status, a limit of calls or an error that ``RetryPolicy`` names | after a wait |
/// | a response that ``ClientConfiguration/retryRule`` says to send again | after a wait |
/// | any other | never |
struct RetryOrRefresh {
    private let call: Call
    private let policy: RetryPolicy?
    private let budget: RetryBudget
    private let rule: (@Sendable (Response<Data>) -> RetryDecision?)?
    /// False for a client whose tokens never expire.
    private let renews: Bool
    private var retries = 0
    private var renewals = 0
    private var isRefreshed = false

    /// - Throws: ``APIError`` for a policy without any attempt.
    init(of call: Call, by sender: Sender) throws(APIError) {
        let policy = call.route.retry ?? call.environment?.calls.retry ?? sender.configuration.retry
        var budget = sender.budget
        if let policy {
            if policy.maximumAttempts < 1 {
                throw APIError(
                    .invalidRoute, "the retry policy allows \(policy.maximumAttempts) attempts",
                    fix: "set maximumAttempts to 1 or more, or use .off")
            }
            budget = call.own(budget) { RetryBudget() }
            // Middleware may send a call several times, but it is one call.
            if call.record.read({ $0.attempts }) == 0 { budget.deposit() }
        }
        self.call = call
        self.policy = policy
        self.budget = budget
        rule = policy == nil ? nil : sender.configuration.retryRule
        renews = sender.configuration.authorization != nil
    }

    /// Prepares to repeat a request that failed: replaces its token, or waits. Returns false if the request must not be
    /// retried.
    ///
    /// - Throws: ``APIError`` if the token cannot be replaced; `CancellationError` when the task is cancelled.
    @inline(never)
    mutating func prepare(after result: Outcome, to request: URLRequest) async throws -> Bool {
        if case .success(let response) = result, let use = call.record.rejectedToken(by: response),
            try await renew(use, after: response, to: request)
        {
            return true
        }
        call.endAttempt(result)
        if call.sink?.hasDelivered == true { return false }
        if call.sink?.startsOver(after: result) == true, !Task.isCancelled { return true }
        guard let policy, let wait = wait(after: result, by: policy), retries + 1 < policy.maximumAttempts,
            !Task.isCancelled
        else { return false }
        retries += 1
        guard let length = reserveRetry(of: request, by: policy, after: wait) else { return false }
        try await call.wait(length)
        return true
    }

    // MARK: Retry

    /// How long to wait before the call is retried.
    private struct Wait {
        /// What the server asks for, which replaces the policy's wait.
        var server: Duration?
        /// What the app's rule asks for, at least.
        var minimum = Duration.zero
    }

    /// The wait before the call is retried; nil if it must not be.
    private func wait(after result: Outcome, by policy: RetryPolicy) -> Wait? {
        let response: Response<Data>
        switch result {
        case .success(let answer): response = answer
        case .failure(let error): return APIError(transport: error).isOfConnection ? Wait() : nil
        }
        let decision = rule?(response)
        if decision == .stop { return nil }
        let now = call.deadline.date
        let asked = RetryAfter.wait(in: response.headers, now: now)
        if case .retry(let wait)? = decision { return Wait(server: asked, minimum: wait) }
        if let limit = policy.rateLimit, limit.isReached(by: response) {
            return Wait(server: asked ?? wait(for: limit, in: response.headers, now: now))
        }
        return !response.isSuccess && policy.statuses.contains(response.status) ? Wait(server: asked) : nil
    }

    /// The time until there are new calls; nil if the server does not tell.
    private func wait(for limit: RetryPolicy.RateLimit, in headers: HTTPHeaders, now: Date) -> Duration? {
        guard let reset = headers[limit.reset] else { return nil }
        let wait = RetryAfter.read(reset, sentAt: headers[.date], now: now)
        if wait == nil { call.addNote("the header \(limit.reset), \(reset.quoted), cannot be read as a time") }
        return wait == .zero ? nil : wait
    }

    /// True if a response that is successful may have to be retried.
    var asksRule: Bool { rule != nil || renews && call.record.sentToken?.refresher.rule != nil }

    /// Takes a retry from the budget, and returns the wait before it; nil if the request must not be retried.
    private func reserveRetry(of request: URLRequest, by policy: RetryPolicy, after wait: Wait) -> Duration? {
        guard canBeReopened(request) else { return refuse("its body is a stream that can be read only once") }
        guard isRepeatable(request) else {
            let method = request.httpMethod ?? "GET"
            return refuse("a \(method) without an idempotency key could take effect twice")
        }
        let required = max(wait.server ?? .zero, wait.minimum)
        guard required <= policy.maximumRetryAfter else {
            let asker = required == wait.server ? "the server" : "retryRule"
            return refuse(
                "\(asker) asks to wait \(required.text), longer than the policy's \(policy.maximumRetryAfter.text)")
        }
        // A server that says when it can answer need not be spared any longer.
        let length =
            wait.server == nil
            ? max(required, call.wait(policy.backoff, beforeRetry: retries)) : required
        guard call.deadline.hasRoom(for: length) else {
            return refuse("a wait of \(length.text) would end after the timeout of \(call.deadline.timeout.text)")
        }
        return budget.withdraw() ? length : refuse("the client's retry budget is used up")
    }

    private func refuse(_ reason: String) -> Duration? {
        call.addNote("not sent again, because \(reason)")
        return nil
    }

    /// True if sending the request twice does no harm.
    private func isRepeatable(_ request: URLRequest) -> Bool {
        RetryPolicy.mayRepeat(
            HTTPMethod(rawValue: request.httpMethod ?? "GET"),
            hasIdempotencyKey: request.value(forHTTPHeaderField: HTTPHeaders.Name.idempotencyKey.rawValue) != nil,
            isOfRoute: call.route.retry != nil)
    }

    /// True if the body can be read twice.
    private func canBeReopened(_ request: URLRequest) -> Bool {
        request.httpBodyStream == nil || call.bodyStream != nil
    }

    // MARK: 401

    /// Replaces the token that the server rejected. Returns false if there is no other token to try.
    private mutating func renew(
        _ use: TokenRefresher.Use, after response: Response<Data>, to request: URLRequest
    ) async throws -> Bool {
        // Twice: once for a token that another call has replaced meanwhile, and once for a refresh.
        guard renewals < 2, !isRefreshed, canBeReopened(request) else { return false }
        // A redirect that changes the method means that the server has processed the request (RFC 9110 section 15.4.4).
        guard response.request.httpMethod == request.httpMethod || isRepeatable(request) else {
            call.addNote("not sent again, because the server had processed it and redirected to its result")
            return false
        }
        renewals += 1
        call.endAttempt(.success(response))
        do {
            let renewal = try await call.refreshing {
                try await use.refresher.renew(use, at: call.deadline.date, by: call.deadline.time)
            }
            switch renewal {
            case .refreshed: isRefreshed = true
            case .alreadyReplaced: break
            case .signedIn:
                call.addNote("not sent again, because another token was stored during the refresh")
                return false
            case .signedOut: return false
            }
        } catch let error as APIError {
            throw error.adding(response)
        }
        return true
    }
}

extension CallRecord {
    /// True if a response rejects a token that the client can replace, so that the request is retried.
    package func asksForNewToken(_ response: Response<Data>) -> Bool { rejectedToken(by: response) != nil }

    /// The token that the last request was sent with, if a response says that it has expired: by the app's rule, or
    /// else by the status 401. Nil if it cannot be replaced.
    fileprivate func rejectedToken(by response: Response<Data>) -> TokenRefresher.Use? {
        sentToken.flatMap { $0.refresher.rule?(response) ?? (response.status == 401) ? $0 : nil }
    }

    /// The token that the last request was sent with; nil if it cannot be replaced.
    fileprivate var sentToken: TokenRefresher.Use? {
        let (request, credentials) = read { ($0.request, $0.added) }
        // A redirect to another origin drops the credentials.
        return credentials.first {
            $0.renewable != nil && request?.value(forHTTPHeaderField: $0.name.rawValue) == $0.value
        }?.renewable
    }
}

extension Outcome {
    /// True for a response with a status in 200…299.
    var isSuccess: Bool { (try? get())?.isSuccess == true }
}

extension RetryPolicy.RateLimit {
    /// True if a response says that the call was one too many.
    fileprivate func isReached(by response: Response<Data>) -> Bool {
        response.status == status
            && (response.headers[.retryAfter] != nil
                || response.headers[remaining]?.trimmingCharacters(in: .whitespaces) == "0")
    }
}

extension APIError {
    /// True for errors of the connection after which the same request may succeed.
    package var isOfConnection: Bool { Self.connectionErrors.contains((underlying as? URLError)?.code) }

    /// Errors such as a certificate that is not trusted do not pass. Foundation on Linux has only one code for them and
    /// for several others, `unknown`.
    private static var connectionErrors: Set<URLError.Code?> {
        [
            .timedOut, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
            .notConnectedToInternet, .badServerResponse,
        ]
    }
}

/// Limits the retries of a client, so that they do not keep a server down that cannot answer: a bucket with 10 tokens
/// at most, to which each call adds 0.2, and from which each retry takes 1.
final class RetryBudget: Sendable {
    /// The tokens in tenths.
    private let tokens = Locked(RetryBudget.capacity)
    private static let capacity = 100

    /// Adds the share of a call that begins.
    func deposit() { tokens.withLock { $0 = min($0 + 2, Self.capacity) } }

    /// Takes a token for a retry. Returns false if there is none.
    func withdraw() -> Bool {
        tokens.withLock { tokens in
            guard tokens >= 10 else { return false }
            tokens -= 10
            return true
        }
    }
}
