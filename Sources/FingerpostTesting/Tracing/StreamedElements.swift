import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import FingerpostStreams
import Foundation

/// The elements of a body that is read as it arrives: the data of its events, or its lines, unless they are blank.
struct StreamedElements {
    struct Element {
        let data: Data
        /// The line of the body that each line of the data comes from, 1-based.
        let lines: [Int]

        /// The line of the body, 1-based.
        ///
        /// - Parameter line: a line of the data, 1-based.
        func line(of line: Int?) -> Int? { lines[max(0, min(line ?? 1, lines.count) - 1)] }
    }

    /// True for the events of a server, false for lines.
    let isEvents: Bool
    private(set) var elements: [Element] = []
    /// The elements as one list in JSON, in which each of them is on the lines that it has in the body.
    let list: Data

    /// Media types of JSON values, one per line.
    static let lineTypes: Set = ["application/x-ndjson", "application/ndjson", "application/jsonl"]

    /// - Returns: nil if the body is no stream of values.
    init?(_ data: Data, contentType: String?) {
        let type = contentType.map { MediaType(contentType: $0).rawValue } ?? ""
        isEvents = type == "text/event-stream"
        guard isEvents || Self.lineTypes.contains(type) else { return nil }
        var lines = [UInt8](data).lines.map(\.text)
        elements = (isEvents ? Self.events(in: lines) : Self.values(in: lines)).filter { !$0.data.isBlank }
        for index in lines.indices { lines[index] = [] }
        for (index, element) in elements.enumerated() {
            let parts = element.data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for (line, part) in zip(element.lines, parts) { lines[line - 1] = Array(part) }
            if index > 0 { lines[element.lines[0] - 1].insert(UInt8(ascii: ","), at: 0) }
        }
        list = Data([UInt8(ascii: "[")] + lines.joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "]")])
    }

    private static func values(in lines: [[UInt8]]) -> [Element] {
        lines.enumerated().map { Element(data: Data($0.element), lines: [$0.offset + 1]) }
    }

    private static func events(in lines: [[UInt8]]) -> [Element] {
        var (events, own): ([Element], [Int]) = ([], [])
        ServerSentEvent.forEachLine(of: lines) { index, event in
            let field = lines[index].prefix { $0 != UInt8(ascii: ":") }
            if field.elementsEqual("data".utf8) { own.append(index + 1) }
            if let event { events.append(Element(data: Data(event.data.utf8), lines: own)) }
            if lines[index].isEmpty { own = [] }
        }
        return events
    }
}
