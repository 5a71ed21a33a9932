import Foundation

/// Text with the colours of a terminal. In a file or a pipe, and if `NO_COLOR` is set, it is plain text.
enum Style: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case cyan = 36

    /// True if standard output is a terminal that shows colours (https://no-color.org).
    private static let isVisible: Bool = {
        let variables = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && variables["NO_COLOR", default: ""].isEmpty && variables["TERM"] != "dumb"
    }()

    func callAsFunction(_ text: String) -> String {
        Self.isVisible ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
