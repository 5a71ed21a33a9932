/// A usage error: the arguments passed to a tool are invalid.
package struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error message. The tool for users adds where its help is.
    package var description: String
    /// The exit code: by default `EX_USAGE` of sysexits.h.
    package var status: Int32 = 64

    package init(_ message: String) {
        description = message
    }
}
