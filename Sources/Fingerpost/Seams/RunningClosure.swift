import FingerpostFiles

/// The closures of the app that a client waits for, such as the one that refreshes a token. A task that a closure
/// leaves behind may send calls after it.
enum RunningClosure {
    /// Those that the current task belongs to.
    @TaskLocal private static var all: [(owner: any AnyObject & Sendable, isOver: Locked<Bool>)] = []

    /// True in a closure of the owner that has not ended.
    static func belongs(to owner: AnyObject) -> Bool {
        all.contains { $0.owner === owner && !$0.isOver.withLock(\.self) }
    }

    /// Runs a closure.
    ///
    /// - Parameter owner: asks in calls of the closure whether they are its own.
    static func run<Result>(
        of owner: any AnyObject & Sendable, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let isOver = Locked(false)
        defer { isOver.withLock { $0 = true } }
        let running = all.filter { !$0.isOver.withLock(\.self) }
        return try await $all.withValue(running + [(owner, isOver)], operation: body)
    }
}
