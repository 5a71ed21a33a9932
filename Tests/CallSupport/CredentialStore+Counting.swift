extension CredentialStore {
    /// Counts up in the store, in which others count too. No number is missing in the end if no step was lost.
    package func count(_ steps: Int) async throws {
        var rest = steps
        while rest > 0 {
            let old = try await token()
            if try await save("\((old.flatMap { Int($0) } ?? 0) + 1)", replacing: old) { rest -= 1 }
        }
    }
}
