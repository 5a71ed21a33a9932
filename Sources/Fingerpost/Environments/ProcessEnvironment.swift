import FingerpostFiles

/// The process's own environment, which is selected and loaded on first use.
package final class ProcessEnvironment: Sendable {
    /// The environment that ``Environment/load(_:from:)`` selects.
    package static let current = ProcessEnvironment { () throws(EnvironmentError) in try Environment.load() }

    private let load: @Sendable () throws(EnvironmentError) -> Environment
    private let outcome = Locked<Result<Environment, EnvironmentError>?>(nil)

    init(load: @escaping @Sendable () throws(EnvironmentError) -> Environment) {
        self.load = load
    }

    /// Returns the environment, and loads it on first use.
    ///
    /// An environment stays the same for the rest of the process, and so does the answer that no environment is
    /// selected. Any other error may be temporary, such as too many open files, so the next call tries again.
    package func get() throws(EnvironmentError) -> Environment {
        if let outcome = outcome.withLock({ $0 }) { return try outcome.get() }
        let loaded = Result { () throws(EnvironmentError) in try load() }
        if case .failure(let error) = loaded, error.absence == nil { throw error }
        return try outcome.withLock { outcome in
            // If another thread has loaded the environment in the meantime, use that thread's result.
            let first = outcome ?? loaded
            outcome = first
            return first
        }.get()
    }
}
