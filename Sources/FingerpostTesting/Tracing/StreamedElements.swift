import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The elements of a streamed body: lines, or the data of events. Blank elements are left out.
struct StreamedElements {
    struct Element {
        let data: Data
        /// For each line of the data, the number of the body's line that contains this line, 1-based.
        let lines: [Int]

        /// Returns the number of the body's line that contains a line of the data, 1-based.
        ///
        /// - Parameter line: the number of a line of the data, 1-based.
        func line(of line: Int?) -> Int? { lines[max(0, min(line ?? 1, lines.count) - 1)] }
    }

    /// True if the elements are server-sent events, false if they are lines.
    let isEvents: Bool
    private(set) var elements: [Element] = []
    /// The elements as one JSON list. The list contains line breaks, so that each element has the same line number as
    /// in the body.
    let list: Data

    /// The last event in the streams of many services. This event contains no value.
    private static let end = Data("[DONE]".utf8)

    /// Media types of JSON values, one per line.
    private static let lineTypes: Set = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl",
        "application/jsonlines", "application/x-jsonlines", "application/json-lines",
    ]

    /// Returns true if a body contains one JSON value per line. If the media type does not say this, the lines are
    /// parsed, because a batch of results often has the type `application/octet-stream`.
    static func areLines(_ data: Data, _ type: String) -> Bool {
        if lineTypes.contains(type) || type.hasSuffix("+ndjson") || type.hasSuffix("+jsonl") { return true }
        // Ordinary text rarely has a JSON object in every line.
        let isOpen = ["", "application/octet-stream", "binary/octet-stream", "text/plain"].contains(type)
        guard isOpen || MediaType(contentType: type).isJSON, data.first == UInt8(ascii: "{") else { return false }
        let lines = data.split(separator: UInt8(ascii: "\n")).filter { !$0.isBlank }
        return lines.count > 1 && lines.allSatisfy { $0.first == UInt8(ascii: "{") && JSONReader.inspect($0) != nil }
    }

    /// - Returns: nil if the body is not a stream of values.
    init?(_ data: Data, contentType: String?) {
        let type = contentType.map { MediaType(contentType: $0).rawValue } ?? ""
        isEvents = type == "text/event-stream"
        guard isEvents || Self.areLines(data, type) else { return nil }
        var lines = [UInt8](data).lines.map(\.text)
        elements = (isEvents ? Self.events(in: lines) : Self.values(in: lines)).filter {
            !$0.data.isBlank && $0.data != Self.end
        }
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
        var (events, data, own): ([Element], [String], [Int]) = ([], [], [])
        for (index, line) in lines.enumerated() {
            // An event ends at an empty line. If the last event does not end at an empty line, the event is ignored.
            // Events without data are ignored too.
            if line.isEmpty {
                if !own.isEmpty { events.append(Element(data: Data(data.joined(separator: "\n").utf8), lines: own)) }
                (data, own) = ([], [])
            }
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            guard name.elementsEqual("data".utf8) else { continue }
            let value = line[name.endIndex...].dropFirst()
            data.append(String(decoding: value.first == UInt8(ascii: " ") ? value.dropFirst() : value, as: UTF8.self))
            own.append(index + 1)
        }
        return events
    }
}
