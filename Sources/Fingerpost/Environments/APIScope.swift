public import Foundation

/// What a test or a preview may change, for the work inside it alone.
///
/// ```swift
/// let scope = APIScope(environment: try Environment.load("Staging"))
/// try await scope.run {
///     try await client.send(GitHub.user(login: "octocat"), as: User.self)      // asks the staging server
/// }
/// ```
///
/// The scope is a task-local value: tasks made inside it inherit it, parallel tests never see each other's, and nothing has
/// to be put back. `Task.detached` and Dispatch queues do not inherit it: wrap their work in ``run(_:)`` too.
public final class APIScope: Sendable {
    /// The scope of the running task.
    @TaskLocal public static var current: APIScope?

    /// The environment inside the scope; nil leaves the one outside.
    public let environment: Environment?
    /// The folder whose mocks answer inside the scope; nil leaves the one outside.
    public let mocks: URL?

    public init(environment: Environment? = nil, mocks: URL? = nil) {
        self.environment = environment
        self.mocks = mocks
    }

    /// What holds inside: what this scope says, and for the rest what holds outside.
    private var inside: APIScope {
        guard let outside = Self.current else { return self }
        return APIScope(environment: environment ?? outside.environment, mocks: mocks ?? outside.mocks)
    }

    /// Runs synchronous work inside the scope.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(inside, operation: body)
    }

    /// Runs asynchronous work inside the scope.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$current.withValue(inside, operation: body)
    }
}
