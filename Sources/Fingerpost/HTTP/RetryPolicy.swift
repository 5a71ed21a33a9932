/// How often a call is retried after a failure that may pass, and how long it waits before.
///
/// ```swift
/// configuration.retry = .standard                                  // three attempts
/// let status = Route.get("status").retry(.standard)                // for one route
/// ```
///
/// The first of these that is set applies: ``Route/retry-swift.property``, the environment's `$retry` (`"standard"`,
/// `"off"`, or the number of attempts), ``ClientConfiguration/retry``. Without any of them nothing is retried.
///
/// A call is retried after the statuses of ``statuses``, and after connection errors. It must
/// be safe to send twice: its method is idempotent (``HTTPMethod/isIdempotent``), or it has an idempotency key
/// (``Route/idempotencyKey(_:)``), or its route sets a policy. Bodies that can only be read once are not retried.
///
/// The wait counts towards the call's timeout. A wait that would end after the timeout fails the call at once. The
/// retries of a client also have a budget: it holds 10 tokens at most, each call adds 0.2, and each retry takes 1. When
/// the server is down, the client therefore adds at most a fifth to its load.
public struct RetryPolicy: Hashable, Sendable {
    /// How often a call is sent at most, including the first time; 3 by default. Calls with a policy of less than one
    /// attempt fail.
    public var maximumAttempts: Int
    /// The wait before each retry, unless the server asks for a longer one.
    public var backoff: Backoff
    /// The longest wait that a server may ask for in `Retry-After`; 60 seconds by default. A call whose server asks for
    /// a longer one fails at once.
    public var maximumRetryAfter: Duration
    /// The statuses after which a call is retried; 408, 425, 429, 500, 502, 503 and 504 by default.
    public var statuses = RetryPolicy.temporaryStatuses
    /// How the server says that the call was one too many, if it does not use 429 and `Retry-After`; nil by default.
    public var rateLimit: RateLimit?

    /// The statuses of failures that may pass (RFC 9110 sections 15.5 and 15.6, RFC 8470, RFC 6585).
    package static let temporaryStatuses: Set = [408, 425, 429, 500, 502, 503, 504]

    /// True if sending a request twice does no harm (RFC 9110 section 9.2.2).
    ///
    /// - Parameter isOfRoute: true if the policy is that of the route, which knows what the server does.
    package static func mayRepeat(_ method: HTTPMethod, hasIdempotencyKey: Bool, isOfRoute: Bool) -> Bool {
        method.isIdempotent || hasIdempotencyKey || isOfRoute
    }

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: how often a call is sent at most, including the first time.
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

    /// How a server limits the calls of a client: a status, a header with the number of calls that are left, and one
    /// with the time when there are new ones.
    ///
    /// ```swift
    /// configuration.retry?.rateLimit = .rateLimit(
    ///     status: 403, remaining: "X-RateLimit-Remaining", reset: "X-RateLimit-Reset")
    /// ```
    public struct RateLimit: Hashable, Sendable {
        let status: Int
        let remaining: HTTPHeaders.Name
        let reset: HTTPHeaders.Name

        /// - Parameters:
        ///   - status: the status of a call that is one too many.
        ///   - remaining: the header with the number of calls that are left. A response in which it is 0, or with
        ///     `Retry-After`, is one of the limit. Any other response with the status is an ordinary error.
        ///   - reset: the header with the time when there are new ones: a number of seconds, a time in seconds or
        ///     milliseconds since 1970, a date of HTTP or RFC 3339, or a duration such as `6m0s` or `250ms`, rounded up
        ///     to seconds. The call waits until then, but never longer than ``RetryPolicy/maximumRetryAfter``. A value
        ///     that cannot be read is named by the error, if the call fails. `Retry-After` takes precedence.
        public static func rateLimit(
            status: Int, remaining: HTTPHeaders.Name, reset: HTTPHeaders.Name
        ) -> RateLimit {
            RateLimit(status: status, remaining: remaining, reset: reset)
        }
    }

    /// Three attempts, with waits of up to 0.5 and 1 seconds.
    public static let standard = RetryPolicy()

    /// One attempt: for a route that is not retried although its client retries.
    public static let off = RetryPolicy(maximumAttempts: 1)
}

extension RetryPolicy {
    /// The wait before a retry. The wait is random, so that clients that failed together do not return together.
    public struct Backoff: Hashable, Sendable {
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

        /// The wait before a retry, where 1 is the first.
        package func wait(beforeRetry number: Int, using generator: inout some RandomNumberGenerator) -> Duration {
            var limit = min(base, maximum)
            for _ in 1..<max(number, 1) where limit > .zero && limit < maximum {
                limit = limit > maximum / 2 ? maximum : limit * 2
            }
            return limit * Double.random(in: 0...1, using: &generator)
        }
    }
}

/// What ``ClientConfiguration/retryRule`` decides about a response.
public enum RetryDecision: Hashable, Sendable {
    /// The call is retried. The wait is the one that the server asks for in `Retry-After`, or else that of the
    /// policy, or the given one if it is longer; a longer one than ``RetryPolicy/maximumRetryAfter`` ends the call.
    case retry(after: Duration = .zero)
    /// The response is the call's.
    case stop
}
