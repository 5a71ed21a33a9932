/// A usage error: invalid arguments of a tool.
package struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ message: String, help: String = "Run `fingerpost --help` for usage.") {
        description = message + "\n" + help
    }
}
