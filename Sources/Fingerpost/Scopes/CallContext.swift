/// What a call runs with, whoever answers it.
package struct CallContext: Sendable {
    package let record: CallRecord
    package let scope: APIScope?
    /// The environment; nil for a call without one, and for a call that fails because its environment is invalid.
    package var environment: Environment? { record.environment }
    package let deadline: Deadline
    /// How long the call may be silent; nil for any time up to the deadline.
    package let idleTimeout: Duration?
}
