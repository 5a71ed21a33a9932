/// How often a call is retried after a temporary failure, and how long the call waits before each retry.
///
/// ```swift
/// configuration.retry = .standard                                  // three attempts
/// let status = Route.get("status").retry(.standard)                // for one route
/// ```
///
/// The first of the following that is set applies: ``Route/retry-swift.property``, ``Routable/retry`` (unless the
/// environment sets `"$retry": "off"`), the environment's `$retry` (`"standard"`, `"off"`, or the number of attempts),
/// and ``ClientConfiguration/retry``. If none of them is set, nothing is retried.
///
/// A call is retried after the statuses of ``statuses``, and after connection errors. The call must be safe to send
/// twice: its method is idempotent (RFC 9110 section 9.2.2), or it has an idempotency key
/// (``Route/idempotencyKey(_:)``), or its route permits it (``Route/retryable()``, ``Routable/isRepeatable``,
/// ``Route/retry(_:)``). A call whose body can be read only once is not retried.
///
/// The wait counts towards the call's timeout. If a wait would end after the timeout, the call fails immediately. The
/// retries of a client also have a budget: the budget holds at most 10 tokens, each call adds 0.2, and each retry takes
/// 1. When the server is down, the client's retries therefore add at most a fifth to the server's load.
public struct RetryPolicy: Equatable, Sendable {
    /// The maximum number of times that a call is sent, including the first time; 3 by default. If this number is less
    /// than 1, calls fail.
    public var maximumAttempts: Int
    /// The wait before each retry. If the server requests a wait, the server's wait applies instead.
    public var backoff: Backoff
    /// The longest wait that a server may ask for in `Retry-After` or `retry-after-ms`; 60 seconds by default. If the
    /// server asks for a longer wait, the call fails immediately.
    public var maximumRetryAfter: Duration
    /// The statuses after which a call is retried; 408, 425, 429, 500, 502, 503 and 504 by default.
    public var statuses = RetryPolicy.temporaryStatuses
    /// How the server reports its rate limit, if it does not use 429 and `Retry-After`; nil by default.
    public var rateLimit: RateLimit?

    /// The statuses of temporary failures (RFC 9110 sections 15.5 and 15.6, RFC 8470, RFC 6585).
    package static let temporaryStatuses: Set = [408, 425, 429, 500, 502, 503, 504]

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: the maximum number of times that a call is sent, including the first time.
    ///   - backoff: the wait before each retry.
    ///   - maximumRetryAfter: the longest wait that a server may ask for.
    public init(
        maximumAttempts: Int = 3, backoff: Backoff = .exponential(base: .seconds(0.5), maximum: .seconds(20)),
        maximumRetryAfter: Duration = .seconds(60)
    ) {
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// How a server reports its rate limit: with a status, a header that contains the number of remaining calls, and a
    /// header that contains the time when the limit is reset.
    ///
    /// ```swift
    /// configuration.retry?.rateLimit = .rateLimit(
    ///     status: 403, remaining: "X-RateLimit-Remaining", reset: "X-RateLimit-Reset")
    /// ```
    public struct RateLimit: Equatable, Sendable {
        let status: Int
        let remaining: HTTPHeaders.Name
        let reset: HTTPHeaders.Name

        /// - Parameters:
        ///   - status: the status of the response to a call beyond the limit.
        ///   - remaining: the header that contains the number of remaining calls. A response with the status reports
        ///     the limit if this header is 0, or if the response has the `Retry-After` header. Any other response with
        ///     the status is an ordinary error.
        ///   - reset: the header that contains the time when the limit is reset. The header's value is a number of
        ///     seconds, a time in seconds or milliseconds since 1970, a date of HTTP or RFC 3339, or a duration such as
        ///     `6m0s` or `250ms`. A number or a duration is rounded up to whole seconds. The call waits until the limit
        ///     is reset. If the wait is longer than ``RetryPolicy/maximumRetryAfter``, the call fails immediately. If
        ///     the value cannot be read and the call fails, the error shows the value. `Retry-After` takes precedence
        ///     over this header.
        public static func rateLimit(
            status: Int, remaining: HTTPHeaders.Name, reset: HTTPHeaders.Name
        ) -> RateLimit {
            RateLimit(status: status, remaining: remaining, reset: reset)
        }
    }

    /// Three attempts, with waits of up to 0.5 and 1 seconds.
    public static let standard = RetryPolicy()

    /// One attempt. Use this policy for a route that must never be retried, even if its client retries.
    public static let off = RetryPolicy(maximumAttempts: 1)
}

extension RetryPolicy {
    /// The wait before a retry. The wait is random, so that clients whose calls fail at the same time do not all retry
    /// at the same time.
    public struct Backoff: Equatable, Sendable {
        private let base: Duration
        private let maximum: Duration

        /// A random wait between zero and a limit that starts at `base` and doubles with each retry ("full jitter").
        ///
        /// - Parameters:
        ///   - base: the longest wait before the first retry. A negative duration counts as zero.
        ///   - maximum: the longest wait before any retry. A negative duration counts as zero.
        public static func exponential(base: Duration, maximum: Duration) -> Backoff {
            Backoff(base: max(base, .zero).limited, maximum: max(maximum, .zero).limited)
        }

        /// Returns the wait before a retry. The number of the first retry is 1.
        func wait(beforeRetry number: Int, using generator: inout any RandomNumberGenerator) -> Duration {
            var limit = min(base, maximum)
            for _ in 1..<max(number, 1) where limit > .zero && limit < maximum {
                limit = limit > maximum / 2 ? maximum : limit * 2
            }
            return limit * Double.random(in: 0...1, using: &generator)
        }
    }
}

/// The decision of ``ClientConfiguration/retryRule`` about a response.
public enum RetryDecision: Equatable, Sendable {
    /// The call is retried. The wait is the server's `Retry-After` or, without this header, the policy's wait. If
    /// `after` is longer, `after` applies instead. If the server's wait or `after` is longer than
    /// ``RetryPolicy/maximumRetryAfter``, the call is not retried.
    case retry(after: Duration = .zero)
    /// The call ends with this response.
    case stop
}
