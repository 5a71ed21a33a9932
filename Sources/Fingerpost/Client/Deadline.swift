/// Ends work that takes longer than it may.
enum Deadline {
    /// Runs the operation, and cancels it when the time is over.
    ///
    /// - Parameter spent: how much of the time is over already.
    /// - Throws: ``APIError`` of the kind `timedOut` when the deadline comes first, else what the operation throws.
    static func run<Value: Sendable>(
        _ timeout: Duration, after spent: Duration = .zero, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        func late() -> APIError {
            APIError(.timedOut, "no answer came within \(timeout)", fix: "raise the timeout, or look at the server")
        }
        if spent > .zero, spent >= timeout { throw late() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask(operation: operation)
            group.addTask {
                try await Task.sleep(for: timeout - spent)
                return nil
            }
            defer { group.cancelAll() }
            // The first to end decides: the operation with its value or error, or the clock with nil.
            guard let first = try await group.next(), let value = first else {
                try Task.checkCancellation()
                throw late()
            }
            return value
        }
    }
}
