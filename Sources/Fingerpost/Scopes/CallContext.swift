/// What a call runs with, whoever answers it.
struct CallContext: Sendable {
    let record: CallRecord
    let scope: APIScope?
    /// The environment; nil for a call without one, and for a call that fails because its environment is invalid.
    var environment: Environment? { record.environment }
    let deadline: Deadline
    /// How long the call may be silent; nil for any time up to the deadline.
    let idleTimeout: Duration?
}
