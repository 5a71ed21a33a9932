import FingerpostDocuments
import FingerpostFiles
import Foundation

/// Reads the file `<name>.mock.json` and reports everything that is wrong with it.
struct MockSettingsReader {
    private let index: MockIndex
    /// The file's folder, with a trailing slash; empty for a file at the top level.
    private let folder: String

    /// - Parameter file: the settings file's path relative to the mocks folder.
    init(_ file: String, in index: MockIndex) {
        self.index = index
        folder = MockFileName.folder(of: file)
    }

    /// - Parameters:
    ///   - file: the settings file's path relative to the mocks folder.
    ///   - data: returns the file's contents.
    /// - Throws: an error that lists all problems found in the file.
    static func read(
        _ file: String, in index: MockIndex, _ data: () throws(FileProblem) -> Data
    ) throws(InvalidFile) -> MockSettings {
        var reader = try ObjectReader(path: index.path(of: file), json: data)
        let settings = MockSettingsReader(file, in: index).settings(&reader)
        try reader.throwProblems()
        return settings
    }

    // MARK: Keys

    /// The keys of settings, in the order in which messages list them.
    var keys: [String] {
        let keys = responseFields.map(\.key).filter { $0 != "after" }
        return ["$schema", "for"] + keys + ["sequence", "after", "recorded"]
    }

    /// The keys of a response, at the top level of the settings or in an element of `sequence`.
    var responseFields: [Field<StubResponse>] {
        [
            .status,
            Field("headers") { $2.headers = $0.headers($1) },
            Field("delay", \.delay) { $0.delay($1) },
            Field("pace", \.pace) { $0.pace($1) },
            .failure,
            Field("open", \.isOpen) {
                $0.boolean($1, fix: "write true if the connection stays open after the body")
            },
            Field("body", \.body) { reader, entry in
                if entry.node.string != nil { return reader.parse(entry, file) }
                reader.reportKind(
                    entry, "the path of a file", fix: "put the body itself into the mock's file, such as user.json")
                return nil
            },
            Field("then", \.then) { $0.then($1, in: index) },
            Field("after", \.after) { $0.pieces($1) },
        ]
    }

    /// Returns the keys that only settings can contain, in addition to the keys of a response.
    private func fields(isSequence: Bool) -> [Field<MockSettings>] {
        [
            Field("$schema") { reader, entry, _ in _ = reader.text(entry) },
            Field("for", \.route) { $0.parse($1, MockRoute.init) },
            Field("sequence") { $2.sequence = sequence($1, inheriting: $2.response, &$0) },
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
        let ofResponse = isSequence ? entries.filter { !$0.key.isSame(as: "after") } : entries
        settings.response = response(root, ofResponse, &reader)
        reader.read(entries, fields(isSequence: isSequence), into: &settings)
        if isSequence, settings.response.failure != nil {
            for entry in entries where entry.key.isSame(as: "failure") {
                reader.report(
                    entry.keyOffset, "\"failure\" cannot be combined with \"sequence\": every answer would fail",
                    fix: "move it into the answers that fail")
            }
        }
        return settings
    }

    // MARK: Responses

    private func sequence(
        _ entry: Node.Entry, inheriting parent: StubResponse, _ reader: inout ObjectReader
    ) -> [StubResponse] {
        if case .array(let elements) = entry.node.value, elements.isEmpty {
            reader.report(entry.node.offset, "\"sequence\" is empty", fix: "add an answer: { \"status\": 202 }")
        }
        let elements = reader.elements(entry, "answers", fix: "write [{ \"status\": 202 }]") { element in
            element.entries == nil ? nil : element
        }
        let known = responseFields.map(\.key)
        return elements.map { element in
            let entries = reader.entries(of: element, "in an answer of the sequence", known: known)
            return response(element, entries, &reader).inheriting(parent)
        }
    }

    private func response(_ node: Node, _ entries: [Node.Entry], _ reader: inout ObjectReader) -> StubResponse {
        var response = StubResponse()
        response.line = reader.document.line(of: node.offset)
        reader.read(entries, responseFields, into: &response)
        let name = entries.named("failure")?.node.string ?? ""
        if let (excluded, reason) = response.failure?.exclusion {
            for entry in entries where excluded.contains(where: entry.key.isSame) {
                reader.report(
                    entry.keyOffset, "\"\(entry.key)\" cannot be combined with the failure \"\(name)\", \(reason)",
                    fix: "remove one of them")
            }
        }
        // If the value of `failure` is invalid, the author may have meant "truncated".
        let mayBeTruncated =
            response.failure == .truncated || response.failure == nil && entries.named("failure") != nil
        if let entry = entries.named("after"), response.after != nil, !mayBeTruncated {
            reader.report(
                entry.keyOffset, "\"after\" is the number of chunks that arrive before the failure \"truncated\"",
                fix: "set \"failure\" to \"truncated\", or remove \"after\"")
        }
        return response
    }

    // MARK: Bodies

    /// The body file's path relative to the mocks folder.
    ///
    /// - Parameter text: the body file's path relative to the settings file, as written in the settings.
    private func file(named text: String) throws(FileProblem) -> String {
        let file = try path(of: text)
        if MockFileName.isSettings(file) {
            throw FileProblem("this is a settings file", fix: "name a body file")
        }
        if let objection = MockFileName.objection(to: file) { throw FileProblem(objection, fix: "name a file") }
        if index.hasFile(file) { return file }
        if index[file] != nil { throw FileProblem("this is a folder", fix: "name a file") }
        let nearest = index.hints.look { NearestName.find(file, in: index.fileNames) } ?? nil
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
                        "it leads outside the mocks folder", fix: "copy the file into \(FilePath.mocks)")
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

extension MockFailure {
    /// The keys that cannot be combined with the failure, and the reason.
    fileprivate var exclusion: (keys: [String], reason: String) {
        switch self {
        case .urlError: (["status", "headers", "pace", "open", "body"], "after which nothing arrives")
        case .empty: (["pace", "open", "body"], "which has no body")
        case .truncated, .malformed: (["open"], "which ends the connection")
        }
    }
}

extension ObjectReader {
    /// Reads which response follows the last response of a sequence.
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

/// The keys of a response that are the same in settings, scenarios and the files of other processes.
extension Field<StubResponse> {
    static var status: Self { Field("status", \.status) { $0.integer($1, in: StubResponse.allStatuses) } }

    static var failure: Self {
        Field("failure", \.failure) { reader, entry in
            let fix = "use truncated, malformed, empty, or the name of a URLError.Code such as timedOut"
            return reader.choice(entry, MockFailure.named.keys.ordered(by: <), fix: fix).flatMap {
                MockFailure.named[$0]
            }
        }
    }
}

/// Reads the values of the keys that describe a response.
extension ObjectReader {
    mutating func headers(_ entry: Node.Entry) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        for field in members(entry, ignoringCase: true, fix: "write { \"ETag\": \"1\" }") ?? [] {
            check(field.keyOffset) { () throws(FileProblem) in try StubResponse.check(header: field.key) }
            let values = if case .array(let elements) = field.node.value { elements } else { [field.node] }
            for value in values {
                guard let text = value.string else {
                    report(value.offset, "the header \"\(field.key)\" is \(value.value.kind)", fix: "put it in quotes")
                    continue
                }
                check(value.offset) { () throws(FileProblem) in try StubResponse.check(text, ofHeader: field.key) }
                headers.append((field.key, text))
            }
        }
        return headers
    }

    private mutating func check(_ offset: Int?, _ check: () throws(FileProblem) -> Void) {
        do throws(FileProblem) { try check() } catch { report(offset, error.message, fix: error.fix) }
    }

    mutating func pace(_ entry: Node.Entry) -> MockPace? {
        var pace = MockPace()
        let fields: [Field<MockPace>] = [
            Field("each", \.unit) { reader, entry in
                reader.parse(entry) { text throws(FileProblem) in
                    if let unit = MockPace.Unit(text) { return unit }
                    throw FileProblem(
                        "it is not a chunk of a body" + NearestName.hint(text, in: ["event", "line"]),
                        fix: "use event, line, or a number of bytes: bytes:4096")
                }
            },
            Field("delay") {
                let fix = "write the time before each chunk, for example 0.2"
                $2.interval = $0.seconds($1, fix: fix).map { .seconds($0) } ?? $2.interval
            },
        ]
        let found = object(entry, fields, into: &pace, fix: "write { \"each\": \"line\", \"delay\": 0.2 }")
        return found.map { _ in pace }
    }

    /// Reads the number of chunks of a truncated body.
    mutating func pieces(_ entry: Node.Entry) -> Int? {
        guard case .string(let text) = entry.node.value else { return integer(entry, in: 0...1_000_000) }
        // Beside a sequence, the key `after` has another meaning: it determines what follows the last response.
        let isOfSequence = AfterSequence(rawValue: text) != nil
        report(
            entry.node.offset,
            isOfSequence
                ? "\"after\" is \"\(text)\", which needs a \"sequence\" beside it"
                : "\"after\" is \"\(text)\" where a number of chunks is expected",
            fix: isOfSequence
                ? "move it beside the sequence, or remove it" : "write a number, for example 3")
        return nil
    }

    mutating func delay(_ entry: Node.Entry) -> MockDelay? {
        let fix = "write 0.25, [0.1, 0.6] from the shortest to the longest, or { \"median\": 0.2, \"p99\": 1.5 }"
        switch entry.node.value {
        case .array(let elements):
            let bounds = elements.compactMap(\.seconds)
            guard elements.count == 2, bounds.count == 2, bounds[0] <= bounds[1] else { break }
            return .uniform(bounds[0]...bounds[1])
        case .dictionary:
            let found = entries(of: entry.node, "in \"delay\"", known: ["median", "p99"])
            let (median, p99) = (found.named("median")?.node.seconds, found.named("p99")?.node.seconds)
            guard let median, let p99, median > 0, median <= p99 else { break }
            return .logNormal(median: median, p99: p99)
        default: return seconds(entry, fix: fix).map { .fixed(.seconds($0)) }
        }
        reportSeconds(entry, fix: fix)
        return nil
    }

    /// Reads a time in seconds, up to one day.
    mutating func seconds(_ entry: Node.Entry, fix: String) -> Double? {
        if let seconds = entry.node.seconds { return seconds }
        reportSeconds(entry, fix: fix)
        return nil
    }

    private mutating func reportSeconds(_ entry: Node.Entry, fix: String) {
        reportKind(entry, "a time in seconds from 0 to \(Node.longestDelay)", fix: fix)
    }

    mutating func then(_ entry: Node.Entry, in index: MockIndex) -> [(mock: String, variant: String)] {
        var found: [(mock: String, variant: String)] = []
        for mock in members(entry, fix: "write { \"jobs/list\": \"withNew\" }") ?? [] {
            let stub = stub(mock, in: index)
            guard let variant = text(mock), let stub else { continue }
            check(variant, of: stub, at: mock.node.offset, in: index)
            found.append((mock.key, variant))
        }
        return found
    }

    /// Returns the mock that a key names. Reports a problem and returns nil if the mock does not exist.
    mutating func stub(_ entry: Node.Entry, in index: MockIndex) -> MockStub? {
        let name = entry.key.mockName
        let stub = index.stub(named: name)
        if stub.exists { return stub }
        report(
            entry.keyOffset, "there is no mock \"\(entry.key)\"" + index.hints.hint(name, in: index.mockNames),
            fix: "correct or remove it")
        return nil
    }

    /// Checks that a mock has a variant. If the mock is nil, checks that at least one mock has the variant.
    @discardableResult
    mutating func check(_ variant: String, of stub: MockStub?, at offset: Int?, in index: MockIndex) -> Bool {
        let names = stub?.variantNames ?? index.allNames.flatMap { index.stub(named: $0).variantNames }
        if names.contains(where: variant.isSame) { return true }
        var seen: Set<ByteName> = []
        let unique = names.filter { seen.insert(ByteName($0)).inserted }
        report(
            offset,
            (stub.map { "the mock \"\($0.name)\" has no variant" } ?? "no mock has the variant") + " \"\(variant)\""
                + index.hints.hint(variant, in: unique),
            fix: unique.isEmpty
                ? "add \(MockFileName.newFile(of: stub?.stem ?? "<mock>", variant: variant))"
                : "use \(unique.prefix(20).joined(separator: ", "))")
        return false
    }
}

extension Node {
    /// The maximum delay: one day, in seconds.
    fileprivate static let longestDelay = 86_400

    /// The number of seconds of a valid delay. Nil for any other value.
    fileprivate var seconds: Double? {
        number.flatMap { (0...Double(Self.longestDelay)).contains($0) ? $0 : nil }
    }
}
