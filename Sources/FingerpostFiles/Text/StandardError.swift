import Foundation

/// Writes warnings to standard error, for code that cannot throw an error.
package enum StandardError {
    /// Writes a line that starts with `Fingerpost: `.
    package static func warn(_ text: String) { write("Fingerpost: \(text)") }

    /// Writes a line, or several. Other control characters are escaped.
    package static func write(_ line: String) {
        // If standard error is closed, the line is lost and the program continues.
        try? FileHandle.standardError.write(contentsOf: Data((line.printableLines + "\n").utf8))
    }
}
