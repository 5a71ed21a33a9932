import FingerpostFiles

/// The app's closures that a client waits for, such as the one that refreshes a token. A task that such a closure
/// starts may send calls after the closure has ended: these calls do not belong to the closure.
enum RunningClosure {
    /// The closures that the current task belongs to.
    @TaskLocal private static var all: [(owner: any AnyObject & Sendable, isOver: Locked<Bool>)] = []

    /// True in a closure of the owner that has not ended.
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
