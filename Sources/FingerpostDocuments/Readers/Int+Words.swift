extension Int {
    /// This number of things in words: `1 answer`, or `2 answers`.
    package func inWords(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
