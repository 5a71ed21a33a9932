/// The call that reports its progress.
package struct ProgressContext: Sendable {
    /// The time since a fixed point, on the clock of the call.
    package let time: @Sendable () -> Duration
    /// True if a mock answers.
    package let isMocked: Bool
    private let scope: ScopeOrSystem

    init(_ call: CallContext, by answerer: Answerer) {
        time = call.deadline.time
        isMocked = !answerer.isNetwork
        scope = ScopeOrSystem(call.scope, isLive: answerer.isNetwork)
    }

    /// Runs code of the app in the scope of the call.
    package func run(_ body: () -> Void) { scope.inScope(body) }
}
