extension RetryPolicy {
    /// Retries without waiting.
    package static func atOnce(_ maximumAttempts: Int = 3) -> RetryPolicy {
        RetryPolicy(maximumAttempts: maximumAttempts, backoff: .exponential(base: .zero, maximum: .zero))
    }
}
