extension String {
    /// The name of the mock that a file name or a name in code means: the text without `.json`.
    package var mockName: String { ends(with: ".json") ? withoutEnd(".json") : self }
}
