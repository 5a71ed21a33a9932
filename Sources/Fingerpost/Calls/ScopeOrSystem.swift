import FingerpostFiles
import Foundation

/// What a call gets from its scope; outside any scope, from the system.
package struct ScopeOrSystem: Sendable {
    private let scope: APIScope?
    /// True if a server answers the call.
    private let isLive: Bool

    init(_ scope: APIScope?, isLive: Bool) {
        self.scope = scope
        self.isLive = isLive
    }

    /// The random generator of the call; nil for the system's.
    private var chance: (any ScopeChance)? { scope.flatMap { $0.session.chance(in: $0, isLive: isLive) } }

    /// Records the responses of servers; nil if nothing records them.
    var recorder: (any Middleware)? { scope?.settings.recorder }

    /// A random identifier; the same in each run if the scope has a seed for the call.
    func uuid() -> UUID { chance?.uuid() ?? UUID() }

    /// The wait before a retry; the same in each run if the scope has a seed for the call.
    package func wait(_ backoff: RetryPolicy.Backoff, beforeRetry number: Int) -> Duration {
        if let chance { return chance.wait(backoff, beforeRetry: number) }
        var generator = SystemRandomNumberGenerator()
        return backoff.wait(beforeRetry: number, using: &generator)
    }

    /// The scope's own object in place of one that a client shares. Tests that share a client do not share it.
    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object {
        scope?.session.own(shared, make) ?? shared
    }

    /// Runs work in the scope, which may be the client's scope instead of the task's.
    func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if let scope, APIScope.current == nil { return try await scope.bind(body) }
        return try await body()
    }
}

extension Environment.Network {
    /// The stricter setting of an environment and a scope.
    static func strictest(_ environment: Environment?, _ scope: APIScope?) -> Self {
        max(environment?.network ?? .live, scope?.network ?? .live)
    }
}
