/// A usage error: the arguments passed to a tool are invalid.
package struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error message, followed by a hint or the usage text.
    package let description: String
    /// The exit code: by default `EX_USAGE` of sysexits.h.
    package var status: Int32 = 64

    package init(_ message: String, help: String = "Run `swift run fingerpost-cli --help` for usage.") {
        description = message + "\n" + help
    }
}
