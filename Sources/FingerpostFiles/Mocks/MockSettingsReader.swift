import Foundation

/// Reads the file `<name>.mock.json`, and finds everything that is wrong with it.
struct MockSettingsReader {
    /// What settings can say.
    enum Key: String, CaseIterable {
        case schema = "$schema"
        case route = "for"
        case status, headers, delay, failure, body, fill, then, sequence, after, recorded

        /// True for what each answer of a sequence can say.
        var isOfAnswer: Bool {
            switch self {
            case .status, .headers, .delay, .failure, .body, .fill, .then: true
            case .schema, .route, .sequence, .after, .recorded: false
            }
        }
    }

    /// More bytes are no settings.
    static let maximumSize = 1_000_000

    private(set) var problems: [FileProblem] = []
    let document: Document
    let listing: MockListing
    /// The folder of the file with its slash at the end, empty for one at the top.
    let folder: String

    /// - Parameters:
    ///   - file: the path of the settings below the folder of the mocks.
    ///   - path: the same as shown to people.
    /// - Throws: every problem of the file.
    static func read(
        _ data: Data, file: String, path: String, listing: MockListing
    ) throws(FileProblems) -> MockSettings {
        let document: Document
        do throws(FileProblem) { document = try Document(json: data, path: path) } catch {
            throw FileProblems([error])
        }
        var reader = MockSettingsReader(
            document: document, listing: listing, folder: MockFileName.folder(of: file))
        let settings = reader.settings()
        if !reader.problems.isEmpty { throw FileProblems(reader.problems) }
        return settings
    }

    private init(document: Document, listing: MockListing, folder: String) {
        self.document = document
        self.listing = listing
        self.folder = folder
    }

    private mutating func settings() -> MockSettings {
        var settings = MockSettings(path: document.path)
        guard document.root.entries != nil else {
            report(
                document.root.offset, "the file holds \(document.root.value.kind), not settings",
                fix: "write { \"status\": 404 }")
            return settings
        }
        let entries = entries(of: document.root, "the settings of a mock", known: Key.allCases.map(\.rawValue))
        settings.answer = answer(document.root, entries)
        for (key, entry) in entries {
            switch Key(rawValue: key) {
            case .schema: _ = text(entry)
            case .route: settings.route = route(entry)
            case .sequence: settings.sequence = sequence(entry, inheriting: settings.answer)
            case .after: settings.after = after(entry) ?? settings.after
            case .recorded: settings.recorded = recorded(entry)
            default: break
            }
        }
        let isSequence = entries.contains { $0.key == Key.sequence.rawValue }
        for (key, entry) in entries {
            if key == Key.after.rawValue, !isSequence {
                report(entry.keyOffset, "\"after\" stands without a \"sequence\"", fix: "remove it")
            }
            if key == Key.failure.rawValue, isSequence, settings.answer.failure != nil {
                report(
                    entry.keyOffset, "\"failure\" stands beside \"sequence\", of which every answer would fail",
                    fix: "move it into the answers that fail")
            }
        }
        return settings
    }

    // MARK: What stands at the top

    private mutating func route(_ entry: Node.Entry) -> MockRoute? {
        guard let text = text(entry) else { return nil }
        return read(text, entry) { text throws(Objection) in try MockRoute(text) }
    }

    private mutating func sequence(
        _ entry: Node.Entry, inheriting parent: MockAnswerSettings
    ) -> [MockAnswerSettings] {
        guard case .array(let elements) = entry.node.value else {
            reportKind(entry, "a list of answers")
            return []
        }
        if elements.isEmpty {
            report(entry.node.offset, "\"sequence\" holds no answer", fix: "add one: { \"status\": 202 }")
        }
        return elements.compactMap { element in
            guard element.entries != nil else {
                report(
                    element.offset, "\"sequence\" holds \(element.value.kind) where answers are expected",
                    fix: "write { \"status\": 202 }")
                return nil
            }
            let known = Key.allCases.filter(\.isOfAnswer).map(\.rawValue)
            let entries = entries(of: element, "an answer of a sequence", known: known)
            var answer = answer(element, entries)
            answer.inherit(parent, except: entries.compactMap { Key(rawValue: $0.key) })
            return answer
        }
    }

    private mutating func after(_ entry: Node.Entry) -> MockSettings.After? {
        let names = MockSettings.After.allCases.map(\.rawValue)
        return choice(entry, names).flatMap { MockSettings.After(rawValue: $0) }
    }

    private mutating func recorded(_ entry: Node.Entry) -> MockSettings.Recorded? {
        guard entry.node.entries != nil else {
            reportKind(entry, "a dictionary", fix: "write { \"at\": \"2026-01-31T12:00:00Z\" }")
            return nil
        }
        var at: Date?
        var from: String?
        var lifetime: Double?
        let entries = entries(of: entry.node, "\"recorded\"", known: ["at", "from", "expires"])
        for (key, entry) in entries {
            switch key {
            case "at":
                at = text(entry).flatMap { text in
                    read(text, entry) { text throws(Objection) in
                        guard let date = ISO8601Text.dateInCalendar(text) else {
                            throw Objection("it is no date", fix: "write it as 2026-01-31T12:00:00Z")
                        }
                        return date
                    }
                }
            case "from": from = text(entry)
            default:
                lifetime = text(entry).flatMap { text in
                    read(text, entry) { text throws(Objection) in try MockSettings.Recorded.seconds(text) }
                }
            }
        }
        if !entries.contains(where: { $0.key == "at" }) {
            report(
                entry.node.offset, "\"recorded\" does not say when", fix: "add \"at\": \"2026-01-31T12:00:00Z\"")
        }
        return at.map {
            MockSettings.Recorded(
                at: $0, from: from, lifetime: lifetime, line: document.line(of: entry.keyOffset))
        }
    }

    // MARK: Reading

    /// The entries of a dictionary whose keys are known, each once. All others are reported.
    mutating func entries(
        of node: Node, _ place: String, known: [String]
    ) -> [(key: String, entry: Node.Entry)] {
        var found: [(key: String, entry: Node.Entry)] = []
        for entry in node.entries ?? [] {
            if !known.contains(where: entry.key.isSame) {
                report(
                    entry.keyOffset,
                    "unknown key \"\(entry.key)\" of \(place)" + NearestName.hint(entry.key, in: known),
                    fix: "use one of \(known.joined(separator: ", "))")
            } else if found.contains(where: { $0.key == entry.key }) {
                reportTwice(entry)
            } else {
                found.append((entry.key, entry))
            }
        }
        return found
    }

    mutating func text(_ entry: Node.Entry) -> String? {
        guard let text = entry.node.string else {
            reportKind(entry, "text", fix: nil)
            return nil
        }
        return text
    }

    /// - Parameter fix: what to do where no name is near; by default all names are told.
    mutating func choice(_ entry: Node.Entry, _ names: [String], fix: String? = nil) -> String? {
        guard let text = text(entry) else { return nil }
        guard names.contains(where: text.isSame) else {
            report(
                entry.node.offset,
                "\"\(text)\" is no value of \"\(entry.key)\"" + NearestName.hint(text, in: names),
                fix: fix ?? "use \(names.joined(separator: ", "))")
            return nil
        }
        return text
    }

    /// What a text stands for; an objection to it is reported.
    mutating func read<Value>(
        _ text: String, _ entry: Node.Entry, _ parse: (String) throws(Objection) -> Value
    ) -> Value? {
        do throws(Objection) { return try parse(text) } catch {
            report(entry.node.offset, "\"\(entry.key)\" is \"\(text)\": \(error.message)", fix: error.fix)
            return nil
        }
    }

    // MARK: Reports

    mutating func report(_ offset: Int?, _ message: String, fix: String?) {
        problems.append(document.problem(at: offset, Self.printable(message), fix: fix.map(Self.printable)))
    }

    /// Text of the file with its control characters made visible: a problem is one line.
    private static func printable(_ text: String) -> String {
        text.unicodeScalars.map {
            $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0)
        }
        .joined()
    }

    mutating func reportTwice(_ entry: Node.Entry) {
        report(entry.keyOffset, "the key \"\(entry.key)\" stands twice", fix: "keep one of them")
    }

    /// A number is told itself, as its kind may be right.
    mutating func reportKind(_ entry: Node.Entry, _ expected: String, fix: String? = nil) {
        let found =
            switch entry.node.value {
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            default: entry.node.value.kind
            }
        report(entry.node.offset, "\"\(entry.key)\" is \(found) where \(expected) is expected", fix: fix)
    }
}
