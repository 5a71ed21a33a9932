import Foundation

/// Where text goes, and whether colours are welcome there.
enum Terminal {
    case output, error

    /// The words `error:` and `warning:` in colour, on a terminal and unless `NO_COLOR` says otherwise.
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
