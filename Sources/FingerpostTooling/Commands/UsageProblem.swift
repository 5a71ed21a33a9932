/// A usage error: invalid arguments of a tool.
package struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message, followed by a hint or the usage text.
    package let description: String

    init(_ message: String, help: String = "Run `fingerpost --help` for usage.") {
        description = message + "\n" + help
    }
}
