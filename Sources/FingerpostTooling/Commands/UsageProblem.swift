/// A usage error: the arguments passed to a tool are invalid.
package struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error message, followed by a hint or the usage text.
    package let description: String

    init(_ message: String, help: String = "Run `swift run fingerpost-cli --help` for usage.") {
        description = message + "\n" + help
    }
}
