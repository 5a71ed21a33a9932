import FingerpostFiles

/// The closures of the app that a client waits for, such as the closure that refreshes a token. If a closure starts a
/// task, calls that the task sends after the closure has returned do not belong to the closure.
enum RunningClosure {
    /// The closures that the current task belongs to.
    @TaskLocal private static var all: [(owner: any AnyObject & Sendable, isOver: Locked<Bool>)] = []

    /// Returns true in a closure of the owner, until the closure has returned.
    static func belongs(to owner: AnyObject) -> Bool {
        all.contains { $0.owner === owner && !$0.isOver.withLock(\.self) }
    }

    /// Runs a closure.
    ///
    /// - Parameter owner: the object that the closure belongs to, such as a `TokenRefresher`.
    static func run<Result>(
        of owner: any AnyObject & Sendable, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let isOver = Locked(false)
        defer { isOver.withLock { $0 = true } }
        let running = all.filter { !$0.isOver.withLock(\.self) }
        return try await $all.withValue(running + [(owner, isOver)], operation: body)
    }
}
