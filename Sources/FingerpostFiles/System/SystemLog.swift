#if canImport(os)
    import os
#endif

/// Writes texts to the system's log on Apple platforms, where they can be read on a device.
package enum SystemLog {
    /// How many bytes a message may have. The system cuts messages of about 1 KB.
    static let maximumSize = 900

    /// The messages for a text: one for each line, and several for a line that is too long. No character is cut; one
    /// that is longer than a message is a message of its own.
    static func messages(of text: String) -> [Substring] {
        text.words(between: "\n").flatMap { line in
            var (pieces, start, size): ([Substring], String.Index, Int) = ([], line.startIndex, 0)
            for index in line.indices {
                let width = line[index].utf8.count
                if size > 0, size + width > maximumSize {
                    pieces.append(line[start..<index])
                    (start, size) = (index, 0)
                }
                size += width
            }
            return pieces + [line[start...]]
        }
    }

    #if canImport(os)
        /// Writes a text without secrets.
        ///
        /// - Parameter isError: false for a text of the level `default`: lower ones are kept in memory only.
        package static func write(_ text: String, category: String, isError: Bool) {
            let log = Logger(subsystem: "Fingerpost", category: category)
            for message in messages(of: text) {
                log.log(level: isError ? .error : .default, "\(String(message), privacy: .public)")
            }
        }
    #endif
}
