/// The requests that a mock may answer: `GET /jobs/{id}`. A part in braces stands for any one segment.
package struct MockRoute: Sendable, Hashable, CustomStringConvertible {
    package let method: String
    /// The segments of the path below the base URL, percent-encoded; nil for one in braces.
    package let segments: [String?]
    package let description: String

    package init(method: String, segments: [String?], description: String) {
        self.method = method
        self.segments = segments
        self.description = description
    }
}
