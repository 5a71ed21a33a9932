import FingerpostFiles

/// The environment of a call whose credentials are made, while the closure that makes them runs. Calls that the closure
/// sends belong to it, although another environment may be chosen meanwhile.
final class PinnedEnvironment: Sendable {
    private let environment: Environment
    private let isOver = Locked(false)

    private init(_ environment: Environment) { self.environment = environment }

    @TaskLocal private static var current: PinnedEnvironment?

    /// The environment that the running closure is pinned to; nil outside such closures, and in tasks that one of them
    /// has left behind.
    static var environment: Environment? { current.flatMap { $0.isOver.withLock { $0 } ? nil : $0.environment } }

    /// Runs a closure that makes credentials for an environment; nil for one that is not pinned again.
    static func run<Result>(
        in environment: Environment?, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let environment else { return try await body() }
        let pinned = PinnedEnvironment(environment)
        defer { pinned.isOver.withLock { $0 = true } }
        return try await $current.withValue(pinned, operation: body)
    }
}
