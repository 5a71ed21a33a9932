import Foundation

/// An output stream of the tool. Text for the stream is colored only if the stream is a terminal that supports colors.
enum Terminal {
    case output, error

    /// The text with `error:` and `warning:` in color. The text is unchanged if the stream is not a terminal, if
    /// `NO_COLOR` is set, or if `TERM` is `dumb`.
    func colored(_ text: String) -> String {
        guard hasColors else { return text }
        return text.replacingOccurrences(of: ": error: ", with: ": \u{1B}[1;31merror:\u{1B}[0m ")
            .replacingOccurrences(of: ": warning: ", with: ": \u{1B}[1;33mwarning:\u{1B}[0m ")
    }

    private var hasColors: Bool {
        let variables = ProcessInfo.processInfo.environment
        guard variables["NO_COLOR", default: ""].isEmpty, variables["TERM"] != "dumb" else { return false }
        return isatty(self == .output ? STDOUT_FILENO : STDERR_FILENO) == 1
    }
}
