import FingerpostFiles
import Foundation

/// Decides whether a request is sent again after a temporary failure, and waits before it is sent again.
///
/// | Outcome | Sent again |
/// |---|---|
/// | a status, a rate limit or an error in the ``RetryPolicy`` | after a wait |
/// | a response for which ``ClientConfiguration/retryRule`` requests a retry | after a wait |
/// | any other outcome | never |
struct Retries {
    private let call: Call
    private let policy: RetryPolicy
    private let budget: RetryBudget
    /// The app's rule, which also decides about successful responses; nil if the app has no rule.
    let rule: (@Sendable (Response<Data>) -> RetryDecision?)?
    private var count = 0

    /// - Returns: nil if the call has no retry policy.
    /// - Throws: ``APIError`` if the policy allows no attempt.
    init?(of call: Call) throws(APIError) {
        let client = call.sender.configuration
        guard let policy = call.route.policy(in: call.environment?.contents.retry, of: client.retry) else { return nil }
        if policy.maximumAttempts < 1 {
            throw APIError(
                .invalidRoute, "the retry policy allows \(policy.maximumAttempts) attempts",
                fix: "set maximumAttempts to 1 or more, or use .off")
        }
        (self.call, self.policy) = (call, policy)
        budget = call.own(call.sender.budget) { RetryBudget() }
        rule = client.retryRule
        // A call adds to the budget once, even if middleware sends the request several times.
        if call.record.read({ $0.attempts }) == 0 { budget.deposit() }
    }

    /// Waits before a failed request is sent again. Returns false if the request must not be sent again.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    @inline(never)
    mutating func wait(after result: Outcome, to request: URLRequest) async throws -> Bool {
        guard let wait = wait(after: result), count + 1 < policy.maximumAttempts, !Task.isCancelled else {
            return false
        }
        count += 1
        guard let length = reserveRetry(of: request, after: wait) else { return false }
        try await call.wait(length)
        return true
    }

    /// The wait before a retry. `server` is the wait that the server requests. If `server` is set, it replaces the
    /// policy's wait. `minimum` is the shortest wait that the app's rule allows.
    private typealias Wait = (server: Duration?, minimum: Duration)

    /// Returns the wait before the next attempt, or nil if the call must not be retried.
    private func wait(after result: Outcome) -> Wait? {
        let response: Response<Data>
        switch result {
        case .success(let answer): response = answer
        case .failure(let error):
            let error = APIError(transport: error)
            // An error of the kind `authorization` comes from a signer, and ends the call like the error of a token
            // refresh.
            return error.isOfConnection && error.kind != .authorization ? (nil, .zero) : nil
        }
        let decision = rule?(response)
        if decision == .stop { return nil }
        let now = call.deadline.date
        let asked = RetryAfter.wait(in: response.headers, now: now)
        if case .retry(let wait)? = decision { return (asked, wait) }
        if let limit = policy.rateLimit, limit.isReached(by: response) {
            return (asked ?? wait(for: limit, in: response.headers, now: now), .zero)
        }
        return !response.isSuccess && policy.statuses.contains(response.status) ? (asked, .zero) : nil
    }

    /// Returns the time until the server accepts calls again. Returns nil if the response does not contain a time in
    /// the future.
    private func wait(for limit: RetryPolicy.RateLimit, in headers: HTTPHeaders, now: Date) -> Duration? {
        guard let reset = headers[limit.reset] else { return nil }
        let wait = RetryAfter.read(reset, sentAt: headers[.date], now: now)
        if wait == nil { call.addNote("the header \(limit.reset), \(reset.quoted), cannot be read as a time") }
        return wait == .zero ? nil : wait
    }

    /// Takes a retry from the budget, and returns the wait before the retry. Returns nil if the request must not be
    /// sent again.
    private func reserveRetry(of request: URLRequest, after wait: Wait) -> Duration? {
        guard call.canBeReopened(request) else { return refuse("its body is a stream that can be read only once") }
        guard call.isRepeatable(request) else {
            let method = request.httpMethod ?? "GET"
            return refuse("a \(method) without an idempotency key could take effect twice")
        }
        let required = max(wait.server ?? .zero, wait.minimum)
        guard required <= policy.maximumRetryAfter else {
            let asker = required == wait.server ? "the server" : "retryRule"
            return refuse(
                "\(asker) asks to wait \(required.text), longer than the policy's \(policy.maximumRetryAfter.text)")
        }
        // If the server says when it can answer, a longer wait has no benefit.
        let length = wait.server == nil ? max(required, call.wait(policy.backoff, beforeRetry: count)) : required
        guard length < call.deadline.rest else {
            return refuse("a wait of \(length.text) would end after the timeout of \(call.deadline.timeout.text)")
        }
        return budget.withdraw() ? length : refuse("the client's retry budget is used up")
    }

    private func refuse(_ reason: String) -> Duration? {
        call.addNote("not sent again, because \(reason)")
        return nil
    }
}

extension Call {
    /// True if sending the request twice does no harm.
    func isRepeatable(_ request: URLRequest) -> Bool {
        route.mayBeSentTwice(
            with: HTTPMethod(rawValue: request.httpMethod ?? "GET"),
            hasKey: request.value(forHTTPHeaderField: HTTPHeaders.Name.idempotencyKey.rawValue) != nil)
    }

    /// True if the body can be read twice.
    func canBeReopened(_ request: URLRequest) -> Bool { request.httpBodyStream == nil || bodyStream != nil }
}

extension Outcome {
    /// True for a response with a status in 200…299.
    var isSuccess: Bool { if case .success(let response) = self { response.isSuccess } else { false } }
}

extension RetryPolicy.RateLimit {
    /// Returns true if a response says that the client has reached a rate limit.
    fileprivate func isReached(by response: Response<Data>) -> Bool {
        response.status == status
            && (RetryAfter.isPart(of: response.headers)
                || response.headers[remaining]?.trimmingCharacters(in: .whitespaces) == "0")
    }
}

extension APIError {
    /// True for errors of the connection after which the same request may succeed.
    package var isOfConnection: Bool { Self.connectionErrors.contains((underlying as? URLError)?.code) }

    /// The codes of temporary errors. The error for an untrusted certificate is not temporary. On Linux, this error has
    /// the code `unknown`, as some other errors do, so `unknown` is not in the list.
    private static var connectionErrors: Set<URLError.Code?> {
        [
            .timedOut, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
            .notConnectedToInternet, .badServerResponse,
        ]
    }
}

/// Limits the retries of a client, because too many retries prevent an overloaded server from recovering. The budget is
/// a bucket of at most 10 tokens: each call adds 0.2 tokens, and each retry takes one token.
final class RetryBudget: Sendable {
    /// The number of tokens in the bucket, in tenths of a token.
    private let tokens = Locked(RetryBudget.capacity)
    private static let capacity = 100

    /// Adds 0.2 tokens for a new call.
    func deposit() { tokens.withLock { $0 = min($0 + 2, Self.capacity) } }

    /// Takes a token for a retry. Returns false if less than one token is left.
    func withdraw() -> Bool {
        tokens.withLock { tokens in
            guard tokens >= 10 else { return false }
            tokens -= 10
            return true
        }
    }
}
