extension RetryPolicy {
    /// Sends again without waits.
    package static func atOnce(_ maximumAttempts: Int = 3) -> RetryPolicy {
        RetryPolicy(maximumAttempts: maximumAttempts, backoff: .exponential(base: .zero, maximum: .zero))
    }
}
