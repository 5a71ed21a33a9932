import Fingerpost

extension RetryPolicy {
    /// Sends again without waits.
    static func atOnce(_ maximumAttempts: Int = 3) -> RetryPolicy {
        RetryPolicy(maximumAttempts: maximumAttempts, backoff: .exponential(base: .zero, maximum: .zero))
    }
}
