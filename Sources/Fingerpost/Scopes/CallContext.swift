/// What a call runs with, whoever answers it.
package struct CallContext: Sendable {
    package let record: CallRecord
    package let scope: APIScope?
    let callEnvironment: CallEnvironment
    /// The environment; nil for a call without one, and for a call that fails because its environment is invalid.
    package var environment: Environment? { callEnvironment.value }
    package let deadline: Deadline
}
