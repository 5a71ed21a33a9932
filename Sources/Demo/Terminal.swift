import Fingerpost
import FingerpostTransfers
import Foundation

/// Formats the output of the demo. If the output is not a terminal, it has no colours and no progress bar.
enum Terminal {
    /// True if standard output is a terminal.
    static let isOutput = isatty(STDOUT_FILENO) == 1
    /// True if the terminal shows colours and the user has not turned them off (https://no-color.org).
    private static let hasColors: Bool = {
        let variables = ProcessInfo.processInfo.environment
        return isOutput && variables["NO_COLOR", default: ""].isEmpty && variables["TERM"] != "dumb"
    }()

    static func bold(_ text: String) -> String { colored(text, 1) }
    static func dim(_ text: String) -> String { colored(text, 2) }
    static func red(_ text: String) -> String { colored(text, 31) }
    static func green(_ text: String) -> String { colored(text, 32) }

    private static func colored(_ text: String, _ code: Int) -> String {
        hasColors ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// Shows the progress of a download in one line.
    static func show(_ progress: TransferProgress) {
        let speed = String(format: "%.1f kB/s", progress.bytesPerSecond / 1000)
        var line = String(format: "%.1f kB", Double(progress.totalBytes ?? progress.completedBytes) / 1000)
        var rest = ""
        // GitHub makes archives while it sends them, so their size is not known.
        if let fraction = progress.fractionCompleted {
            let bar = String(repeating: "#", count: Int(fraction * 30))
            let seconds = progress.remaining.map { Int(($0 / .seconds(1)).rounded(.up)) } ?? 0
            rest = seconds > 0 ? ", \(seconds) s left" : ""
            line = "[\(bar.padding(toLength: 30, withPad: "-", startingAt: 0))] \(Int(fraction * 100)) % of \(line)"
        }
        // `\r` returns to the start of the line. The codes after the text clear the rest of the line.
        print("\r\(line), \(speed)\(rest)\u{1B}[K", terminator: progress.isFinished ? "\n" : "")
        // Standard output is buffered up to the end of a line.
        fflush(nil)
    }

    /// Returns text in aligned columns. The columns in `numbers` are aligned right.
    static func table(titles: [String] = [], _ rows: [[String]], numbers: Range<Int> = 0..<0) -> String {
        var rows = (titles.isEmpty ? [] : [titles]) + rows.map { $0.map(visible) }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        if !titles.isEmpty { rows.insert(widths.map { String(repeating: "-", count: $0) }, at: 1) }
        let lines = rows.map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                if numbers.contains(column) { return space + row[column] }
                return column == row.count - 1 ? row[column] : row[column] + space
            }
            return cells.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the text without line breaks and other control characters, because a server's text must not control the
    /// terminal.
    private static func visible(_ text: String) -> String {
        let text = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : "\($0)" }.joined()
        return text.count <= 56 ? text : text.prefix(55) + "…"
    }
}

extension Date {
    /// The date's day in UTC, such as `2011-01-25`.
    var day: String { formatted(.iso8601.year().month().day()) }
}
