/// What a call runs with, whoever answers it.
package struct CallContext: Sendable {
    package let record: CallRecord
    package let scope: APIScope?
    package let deadline: Deadline
    package var environment: Environment? { record.environment }
}

/// Makes a sink in place of the one that would receive the body of a call.
package typealias SinkDecorator = @Sendable (any CallSink, _ call: CallContext, _ isMocked: Bool) -> any CallSink

extension CallRecord {
    /// Begins the record of a call, in its scope and the enclosing scopes.
    convenience init(
        _ route: consuming Route, _ environment: Environment?, clientCredentials: [String] = [], in scope: APIScope?
    ) {
        self.init(
            route, environment, clientCredentials: clientCredentials, observers: scope?.observers ?? [],
            time: scope?.time, note: scope?.session.note())
        scope?.began(self)
    }
}
