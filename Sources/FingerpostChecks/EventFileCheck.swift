import FingerpostFiles
import FingerpostMockFiles

/// Finds mistakes in a file of server-sent events. Readers of a stream skip unknown text, so the only symptom of a
/// mistake is a missing event.
enum EventFileCheck {
    private static let fields = ["data", "event", "id", "retry"]
    /// The maximum number of unknown fields to report. A file in another format has an unknown field in every line.
    private static let maximumCount = 10

    /// Returns the problems of a file, in the order of their lines.
    ///
    /// - Parameter path: the file's path as shown in messages.
    static func problems(in text: some Sequence<UInt8>, path: String) -> [FileProblem] {
        var problems: [FileProblem] = []
        var number = 0
        /// The first line of the current event's data. Nil if the current event has no data yet.
        var begun: Int?
        var hasData = false
        for (line, _) in Array(text).lines {
            number += 1
            if line.isEmpty {
                begun = nil
                continue
            }
            let field = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
            if field == "data" { (begun, hasData) = (begun ?? number, true) }
            // A line that begins with a colon is a comment.
            guard !field.isEmpty, !fields.contains(field), problems.count < maximumCount else { continue }
            problems.append(
                .warning(
                    path: path, line: number,
                    message: "\"\(field.prefix(40))\" is not a field of an event, so this line is ignored"
                        + NearestName.hint(String(field.prefix(40)), in: fields),
                    fix: "use \(fields.joined(separator: ", ")), or put a colon before a comment"))
        }
        if problems.isEmpty, !hasData {
            return [
                .warning(
                    path: path, message: "the file has no event, so a loop over it ends immediately",
                    fix: "write data: and an empty line for each event")
            ]
        }
        guard let begun else { return problems }
        return problems + [
            FileProblem(
                path: path, line: begun, message: "no empty line ends this event, so it is lost",
                fix: "add an empty line at the end of the file")
        ]
    }
}
