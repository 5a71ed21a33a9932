extension CredentialStore {
    /// Saves tokens in place of others that are named, in a store that is empty, and says what it contains after each.
    package func replacements() async throws -> [String] {
        var steps: [String] = []
        for (old, new) in [("old", "first"), (nil, "first"), (nil, "second"), ("old", "second"), ("first", "second")] {
            let isSaved = try await save(new, replacing: old)
            steps.append("\(isSaved ? "saved" : "kept") \(try await token() ?? "nothing")")
        }
        return steps
    }
}
