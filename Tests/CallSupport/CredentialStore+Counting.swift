extension CredentialStore {
    /// Adds one to the number in the store for each step, while other callers do the same. If no step is lost, the
    /// final number is the total of all steps.
    package func count(_ steps: Int) async throws {
        var rest = steps
        while rest > 0 {
            let old = try await token()
            if try await save("\((old.flatMap { Int($0) } ?? 0) + 1)", replacing: old) { rest -= 1 }
        }
    }
}
