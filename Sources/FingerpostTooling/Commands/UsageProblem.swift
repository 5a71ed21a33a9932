/// What is wrong with how a tool was called.
package struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ message: String, help: String = "Run `fingerpost --help` for usage.") {
        description = message + "\n" + help
    }
}
