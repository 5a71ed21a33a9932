import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The body of a stream without its secrets. Every other byte is as the server wrote it.
struct RedactedStream {
    let data: Data
    let isRedacted: Bool

    /// - Parameter stream: what was read from the body.
    /// - Throws: if a key contains a secret, or the text of an event has one that spans its lines.
    init(_ stream: StreamedElements, in data: Data, redactor: SecretRedactor) throws(FixedSecret) {
        let ends = MockPace.Unit.line.ends(in: data)
        let starts = [0] + ends
        var lines = zip(starts, ends).map { data[data.startIndex + $0..<data.startIndex + $1] }
        var isRedacted = false
        /// Replaces the text at the end of a line.
        func replace(_ old: Data, with new: Data, in line: Int) {
            if old == new { return }
            isRedacted = true
            let text = lines[line].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            // Bytes that are not UTF-8 are others in the event.
            let name = text.suffix(old.count) == old ? text.dropLast(old.count) : Data("data: ".utf8)
            lines[line] = name + new + lines[line].dropFirst(text.count)
        }
        var isRead: Set<Int> = []
        for element in stream.elements {
            isRead.formUnion(element.lines)
            let old = element.data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            var new = old
            if let root = JSONReader.inspect(element.data) {
                let recorded = try RedactedJSON(root, in: element.data, redactor: redactor).data
                new = recorded.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            } else {
                let text = element.data.text
                let shown = text.parts(between: "\n").map { redactor.hidden(String($0)) }
                guard redactor.hidden(text) == shown.joined(separator: "\n") else { throw .lines }
                if shown.joined(separator: "\n") != text { new = shown.map { Data($0.utf8) } }
            }
            for (line, (old, new)) in zip(element.lines, zip(old, new)) { replace(old, with: new, in: line - 1) }
        }
        // Comments, and other fields than data.
        for line in lines.indices where !isRead.contains(line + 1) {
            let text = lines[line].text
            let shown = redactor.hidden(text)
            if shown != text { (lines[line], isRedacted) = (Data(shown.utf8), true) }
        }
        self.isRedacted = isRedacted
        self.data = isRedacted ? Data(lines.joined()) : data
    }
}
