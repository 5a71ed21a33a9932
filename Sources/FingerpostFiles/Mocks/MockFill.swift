/// A value that is put into the body of a mock when it answers: `"/items/*/owner": "query.user"`.
package struct MockFill: Sendable {
    /// Where the value comes from.
    package enum Source: Sendable, Hashable {
        /// `arg.<label>`: an associated value of the enum case that was sent; the position for one without a label.
        case argument(String)
        /// `query.<name>`
        case query(String)
        /// `header.<name>`
        case header(String)
        /// `body/<pointer>`: a value of the JSON that was sent.
        case body(JSONPointer)
        /// `env.<key>`, which is no secret.
        case environment(String)
        /// The time, as ISO 8601.
        case now
        case uuid
        /// How often the mock was asked before, and this time: 1, 2, 3.
        case count
    }

    package var pointer: JSONPointer
    package var source: Source
    /// The line that it stands in.
    package var line: Int?

    package init(pointer: JSONPointer, source: Source, line: Int? = nil) {
        self.pointer = pointer
        self.source = source
        self.line = line
    }
}
