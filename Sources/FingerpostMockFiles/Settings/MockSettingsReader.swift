import FingerpostDocuments
import FingerpostFiles
import Foundation

/// Reads the file `<name>.mock.json` and reports everything that is wrong with it.
struct MockSettingsReader {
    private let listing: MockListing
    /// The file's folder, with a trailing slash; empty for a file at the top level.
    private let folder: String

    /// - Parameter file: the settings file's path relative to the mocks folder.
    init(_ file: String, in listing: MockListing) {
        self.listing = listing
        folder = MockFileName.folder(of: file)
    }

    /// - Parameters:
    ///   - file: the settings file's path relative to the mocks folder.
    ///   - path: the settings file's path as shown in messages.
    ///   - data: returns the file's contents.
    /// - Throws: an error that lists all problems found in the file.
    static func read(
        _ file: String, path: String, listing: MockListing, _ data: () throws(FileProblem) -> Data
    ) throws(InvalidFile) -> MockSettings {
        var reader = try ObjectReader(path: path, json: data)
        let settings = MockSettingsReader(file, in: listing).settings(&reader)
        try reader.throwProblems()
        return settings
    }

    // MARK: Keys

    /// The keys of settings, in the order in which messages list them.
    var keys: [String] {
        let answer = answerFields.map(\.key).filter { $0 != "after" }
        return ["$schema", "for"] + answer + ["sequence", "after", "recorded"]
    }

    /// What an answer can say, at the top level of the settings or in an element of `sequence`.
    var answerFields: [Field<StubResponse>] {
        [
            .status,
            Field("headers") { $2.headers = $0.headers($1) },
            Field("delay", \.delay) { $0.delay($1) },
            Field("pace", \.pace) { $0.pace($1) },
            .failure,
            Field("open", \.isOpen) {
                $0.boolean($1, fix: "write true if the connection stays open after the body")
            },
            Field("body", \.body) { $0.parse($1, MockBodyPath(listing: listing, folder: folder).file) },
            Field("then", \.then) { $0.then($1, in: listing) },
            Field("after", \.after) { $0.pieces($1) },
        ]
    }

    /// What settings can say beside that.
    private func fields(isSequence: Bool) -> [Field<MockSettings>] {
        [
            Field("$schema") { reader, entry, _ in _ = reader.text(entry) },
            Field("for", \.route) { $0.parse($1, MockRoute.init) },
            Field("sequence") { $2.sequence = sequence($1, inheriting: $2.answer, &$0) },
            Field("after") { if isSequence { $2.after = $0.after($1) ?? $2.after } },
            Field("recorded", \.recorded) { $0.recorded($1) },
        ]
    }

    private func settings(_ reader: inout ObjectReader) -> MockSettings {
        var settings = MockSettings(path: reader.document.path)
        guard reader.rootEntries(as: "settings", fix: "write { \"status\": 404 }") != nil else { return settings }
        let root = reader.document.root
        let entries = reader.entries(of: root, "in the settings of a mock", known: keys)
        let isSequence = entries.named("sequence") != nil
        let ofAnswer = isSequence ? entries.filter { !$0.key.isSame(as: "after") } : entries
        settings.answer = answer(root, ofAnswer, &reader)
        reader.read(entries, fields(isSequence: isSequence), into: &settings)
        if isSequence, settings.answer.failure != nil {
            for entry in entries where entry.key.isSame(as: "failure") {
                reader.report(
                    entry.keyOffset, "\"failure\" cannot be combined with \"sequence\": every answer would fail",
                    fix: "move it into the answers that fail")
            }
        }
        return settings
    }

    // MARK: Answers

    private func sequence(
        _ entry: Node.Entry, inheriting parent: StubResponse, _ reader: inout ObjectReader
    ) -> [StubResponse] {
        if case .array(let elements) = entry.node.value, elements.isEmpty {
            reader.report(entry.node.offset, "\"sequence\" is empty", fix: "add an answer: { \"status\": 202 }")
        }
        let answers = reader.elements(entry, "answers", fix: "write [{ \"status\": 202 }]") { element in
            element.entries == nil ? nil : element
        }
        let known = answerFields.map(\.key)
        return answers.map { element in
            let entries = reader.entries(of: element, "in an answer of the sequence", known: known)
            return answer(element, entries, &reader).inheriting(parent)
        }
    }

    private func answer(_ node: Node, _ entries: [Node.Entry], _ reader: inout ObjectReader) -> StubResponse {
        var answer = StubResponse()
        answer.line = reader.document.line(of: node.offset)
        reader.read(entries, answerFields, into: &answer)
        let name = entries.named("failure")?.node.string ?? ""
        if let (excluded, reason) = answer.failure?.exclusion {
            for entry in entries where excluded.contains(where: entry.key.isSame) {
                reader.report(
                    entry.keyOffset, "\"\(entry.key)\" cannot be combined with the failure \"\(name)\", \(reason)",
                    fix: "remove one of them")
            }
        }
        // A failure that cannot be read may have been meant as "truncated".
        let mayBeTruncated =
            answer.failure == .truncated || answer.failure == nil && entries.named("failure") != nil
        if let entry = entries.named("after"), answer.after != nil, !mayBeTruncated {
            reader.report(
                entry.keyOffset, "\"after\" is the number of pieces that arrive before the failure \"truncated\"",
                fix: "set \"failure\" to \"truncated\", or remove \"after\"")
        }
        return answer
    }
}

extension MockFailure {
    /// The keys that cannot be combined with the failure, and why.
    fileprivate var exclusion: (keys: [String], reason: String) {
        switch self {
        case .urlError: (["status", "headers", "pace", "open", "body"], "after which nothing arrives")
        case .empty: (["pace", "open", "body"], "which has no body")
        case .truncated, .malformed: (["open"], "which ends the connection")
        }
    }
}

extension ObjectReader {
    /// What follows the last answer of a sequence.
    fileprivate mutating func after(_ entry: Node.Entry) -> AfterSequence? {
        let names = AfterSequence.allCases.map(\.rawValue)
        if case .integer(let count) = entry.node.value {
            report(
                entry.node.offset,
                "\"after\" is \(count), but beside a \"sequence\" it says what follows the last answer",
                fix: "use \(names.joined(separator: ", ")), or move the number into an answer with the failure "
                    + "\"truncated\"")
            return nil
        }
        return choice(entry, names).flatMap { AfterSequence(rawValue: $0) }
    }

    private static func date(_ text: String) throws(FileProblem) -> Date {
        if let date = ISO8601Text.date(text) { return date }
        throw FileProblem("it is not a date", fix: "write it as 2026-01-31T12:00:00Z")
    }

    fileprivate mutating func recorded(_ entry: Node.Entry) -> MockSettings.Recorded? {
        let date = "\"at\": \"2026-01-31T12:00:00Z\""
        var recorded = MockSettings.Recorded(at: .distantPast, line: document.line(of: entry.keyOffset))
        let fields: [Field<MockSettings.Recorded>] = [
            Field("at") { $2.at = $0.parse($1, Self.date) ?? $2.at },
            Field("from", \.from) { $0.text($1) },
            Field("by", \.by) { $0.text($1) },
            Field("expires", \.lifetime) { $0.parse($1, MockSettings.Recorded.seconds) },
        ]
        guard let entries = object(entry, fields, into: &recorded, fix: "write { \(date) }") else { return nil }
        if entries.named("at") == nil { report(entry.node.offset, "\"recorded\" has no date", fix: "add \(date)") }
        return recorded
    }
}

/// Finds the body file named in a mock's settings.
private struct MockBodyPath {
    let listing: MockListing
    /// The settings file's folder, with a trailing slash; empty for a file at the top level.
    let folder: String

    /// The body file's path relative to the mocks folder.
    ///
    /// - Parameter text: the body file's path relative to the settings file, as written in the settings.
    func file(named text: String) throws(FileProblem) -> String {
        let file = try path(of: text)
        if MockFileName.isSettings(file) {
            throw FileProblem("this is a settings file", fix: "name a body file")
        }
        if let objection = MockFileName.objection(to: file) { throw FileProblem(objection, fix: "name a file") }
        if listing.contains(file) { return file }
        if listing[file] != nil { throw FileProblem("this is a folder", fix: "name a file") }
        let nearest = listing.hints.look { NearestName.find(file, in: listing.files) } ?? nil
        throw FileProblem(
            "there is no such file" + NearestName.hint(nearest.map(relative)),
            fix: "add it, or correct the name")
    }

    private func path(of text: String) throws(FileProblem) -> String {
        if text.utf8.first == UInt8(ascii: "/") {
            throw FileProblem("it is an absolute path", fix: "write it relative to the settings file")
        }
        var parts = Array(folder.parts(between: "/").dropLast())
        for part in text.parts(between: "/") {
            switch part {
            case ".": continue
            case "..":
                guard parts.popLast() != nil else {
                    throw FileProblem(
                        "it leads outside the mocks folder", fix: "copy the file into \(FolderName.mocks)")
                }
            default: parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    /// A file's path relative to the settings file.
    private func relative(_ file: String) -> String {
        if file.begins(with: folder) { return String(Substring(file.utf8.dropFirst(folder.utf8.count))) }
        return String(repeating: "../", count: folder.parts(between: "/").count - 1) + file
    }
}
