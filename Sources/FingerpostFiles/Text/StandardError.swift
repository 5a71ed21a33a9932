import Foundation

/// Lines for people who look at a terminal or a log, where no error can be thrown.
package enum StandardError {
    /// Writes a line that says which library speaks.
    package static func warn(_ text: String) { write("Fingerpost: \(text)") }

    /// Writes a line.
    package static func write(_ line: String) {
        // Nobody can be told when standard error is closed, and the program must go on.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
