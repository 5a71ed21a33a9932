/// A place in a JSON value (RFC 6901): `/items/0/id`. A part `*` stands for every element of a list or every value of an object.
package struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The parts between slashes, unescaped.
    package let parts: [String]

    package init(parts: [String]) {
        self.parts = parts
    }

    package var description: String {
        parts.map { part in
            "/" + part.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
    }
}
