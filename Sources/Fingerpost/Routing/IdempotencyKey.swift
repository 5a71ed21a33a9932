/// The value of `Idempotency-Key` for a route.
enum IdempotencyKey: Hashable, Sendable {
    /// A new random key for each call.
    case random
    case fixed(String)
}
