import FingerpostFiles

/// A usage error: the arguments passed to a tool are invalid.
package struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error message, followed by a hint or the usage text.
    package let description: String
    /// The exit code: by default `EX_USAGE` of sysexits.h.
    package var status: Int32 = 64

    package init(_ message: String, help: String? = nil) {
        description =
            message + "\n" + (help ?? "Run `\(Self.program(startedAs: CommandLine.arguments.first)) --help` for usage.")
    }

    /// How to start the program again: `swift run` starts it from the build folder.
    static func program(startedAs path: String?) -> String {
        guard let path, let name = path.parts(between: "/").last else { return "fingerpost-cli" }
        return path.contains(bytesOf: ".build/") ? "swift run \(name)" : path
    }
}
