/// What is wrong with how a tool was called.
package struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ message: String, help: String = "`fingerpost --help` shows what there is.") {
        description = message + "\n" + help
    }
}
