import FingerpostFiles

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
