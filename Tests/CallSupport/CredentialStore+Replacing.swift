extension CredentialStore {
    /// Saves tokens in an empty store, each in place of a given old token. Returns, for each attempt, whether the token
    /// was saved and what the store then contains.
    package func replacements() async throws -> [String] {
        var steps: [String] = []
        for (old, new) in [("old", "first"), (nil, "first"), (nil, "second"), ("old", "second"), ("first", "second")] {
            let isSaved = try await save(new, replacing: old)
            steps.append("\(isSaved ? "saved" : "kept") \(try await token() ?? "nothing")")
        }
        return steps
    }
}
