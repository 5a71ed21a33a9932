import FingerpostFiles
import Foundation

/// Reads the file `<name>.mock.json` and reports everything that is wrong with it.
struct MockSettingsReader {
    /// The keys that a settings file can contain.
    enum Key: String, CaseIterable {
        case schema = "$schema"
        case route = "for"
        case status, headers, delay, pace, failure, open, body, fill, then, sequence, after, recorded

        /// True for keys that are also allowed in each answer of a sequence.
        var isOfAnswer: Bool {
            switch self {
            case .status, .headers, .delay, .pace, .failure, .open, .body, .fill, .then, .after: true
            case .schema, .route, .sequence, .recorded: false
            }
        }
    }

    typealias Entry = (key: Key, entry: Node.Entry)

    /// The maximum size of a settings file, in bytes. A larger file is not read.
    static let maximumSize = 1_000_000

    var reader: ObjectReader
    let listing: MockListing
    /// The file's folder, with a trailing slash; empty for a file at the top level.
    let folder: String

    /// - Parameters:
    ///   - file: the settings file's path relative to the mocks folder.
    ///   - path: the settings file's path as shown in messages.
    /// - Throws: an error that lists all problems found in the file.
    static func read(
        _ data: Data, file: String, path: String, listing: MockListing
    ) throws(InvalidFile) -> MockSettings {
        let document: Document
        do throws(FileProblem) { document = try Document(json: data, path: path) } catch {
            throw InvalidFile([error])
        }
        var reader = MockSettingsReader(
            reader: ObjectReader(document), listing: listing, folder: MockFileName.folder(of: file))
        let settings = reader.settings(document.root)
        if !reader.reader.problems.isEmpty { throw InvalidFile(reader.reader.problems) }
        return settings
    }

    private init(reader: ObjectReader, listing: MockListing, folder: String) {
        self.reader = reader
        self.listing = listing
        self.folder = folder
    }

    private mutating func settings(_ root: Node) -> MockSettings {
        var settings = MockSettings(path: reader.document.path)
        guard root.entries != nil else {
            reader.report(
                root.offset, "the file contains \(root.value.kind), not settings", fix: "write { \"status\": 404 }")
            return settings
        }
        let entries = reader.entries(of: root, "in the settings of a mock", known: Key.allCases)
        let isSequence = entries.contains { $0.key == .sequence }
        settings.answer = answer(root, isSequence ? entries.filter { $0.key != .after } : entries)
        for (key, entry) in entries {
            switch key {
            case .schema: _ = reader.text(entry)
            case .route: settings.route = reader.parse(entry) { text throws(FileProblem) in try MockRoute(text) }
            case .sequence: settings.sequence = sequence(entry, inheriting: settings.answer)
            case .after where isSequence: settings.after = after(entry) ?? settings.after
            case .recorded: settings.recorded = recorded(entry)
            case .status, .headers, .delay, .pace, .failure, .open, .body, .fill, .then, .after: break
            }
        }
        for (key, entry) in entries where key == .failure && isSequence && settings.answer.failure != nil {
            reader.report(
                entry.keyOffset, "\"failure\" cannot be combined with \"sequence\": every answer would fail",
                fix: "move it into the answers that fail")
        }
        return settings
    }

    // MARK: Keys at the top level

    private mutating func sequence(
        _ entry: Node.Entry, inheriting parent: WrittenAnswer
    ) -> [WrittenAnswer] {
        if case .array(let elements) = entry.node.value, elements.isEmpty {
            reader.report(entry.node.offset, "\"sequence\" is empty", fix: "add an answer: { \"status\": 202 }")
        }
        let answers = reader.elements(entry, "answers", fix: "write [{ \"status\": 202 }]") { element in
            element.entries == nil ? nil : element
        }
        return answers.map { element in
            let entries = reader.entries(
                of: element, "in an answer of the sequence", known: Key.allCases.filter(\.isOfAnswer))
            return answer(element, entries).over(parent)
        }
    }

    private mutating func after(_ entry: Node.Entry) -> AfterSequence? {
        let names = AfterSequence.allCases.map(\.rawValue)
        if case .integer(let count) = entry.node.value {
            reader.report(
                entry.node.offset,
                "\"after\" is \(count), but beside a \"sequence\" it says what follows the last answer",
                fix: "use \(names.joined(separator: ", ")), or move the number into an answer with the failure "
                    + "\"truncated\"")
            return nil
        }
        return reader.choice(entry, names).flatMap { AfterSequence(rawValue: $0) }
    }

    private enum RecordedKey: String, CaseIterable {
        case at, from, by, expires
    }

    private mutating func recorded(_ entry: Node.Entry) -> MockSettings.Recorded? {
        guard entry.node.entries != nil else {
            reader.reportKind(entry, "a dictionary", fix: "write { \"at\": \"2026-01-31T12:00:00Z\" }")
            return nil
        }
        var at: Date?
        var from: String?
        var by: String?
        var lifetime: Double?
        let entries = reader.entries(of: entry.node, "in \"recorded\"", known: RecordedKey.allCases)
        for (key, entry) in entries {
            switch key {
            case .at:
                at = reader.parse(entry) { text throws(FileProblem) in
                    guard let date = ISO8601Text.date(text) else {
                        throw FileProblem("it is not a date", fix: "write it as 2026-01-31T12:00:00Z")
                    }
                    return date
                }
            case .from: from = reader.text(entry)
            case .by: by = reader.text(entry)
            case .expires:
                lifetime = reader.parse(entry) { text throws(FileProblem) in
                    try MockSettings.Recorded.seconds(text)
                }
            }
        }
        if !entries.contains(where: { $0.key == .at }) {
            reader.report(
                entry.node.offset, "\"recorded\" has no date", fix: "add \"at\": \"2026-01-31T12:00:00Z\"")
        }
        return at.map {
            MockSettings.Recorded(
                at: $0, from: from, by: by, lifetime: lifetime, line: reader.document.line(of: entry.keyOffset))
        }
    }
}
