import FingerpostFiles

/// Reads the keys that describe one answer, either at the top level of the settings or in an element of `sequence`.
extension MockSettingsReader {
    mutating func answer(_ node: Node, _ entries: [Entry]) -> WrittenAnswer {
        var answer = WrittenAnswer()
        answer.line = reader.document.line(of: node.offset)
        for (key, entry) in entries {
            switch key {
            case .status: answer.status = reader.integer(entry, in: 100...599)
            case .headers: answer.headers = headers(entry)
            case .delay: answer.delay = delay(entry)
            case .pace: answer.pace = pace(entry)
            case .failure: answer.failure = failure(entry)
            case .open: answer.isOpen = open(entry)
            case .after: answer.after = pieces(entry)
            case .body: answer.body = body(entry)
            case .fill: answer.fill = fill(entry)
            case .then: answer.then = then(entry)
            case .schema, .route, .sequence, .recorded: break
            }
        }
        if let failure = answer.failure { checkExclusions(failure, entries) }
        let failure = entries.first { $0.key == .failure }
        // A failure that cannot be read may have been meant as "truncated".
        let isTruncated = answer.failure == .truncated || failure != nil && answer.failure == nil
        if let (_, entry) = entries.first(where: { $0.key == .after }), answer.after != nil, !isTruncated {
            reader.report(
                entry.keyOffset, "\"after\" is the number of pieces that arrive before the failure \"truncated\"",
                fix: "set \"failure\" to \"truncated\", or remove \"after\"")
        }
        return answer
    }

    private mutating func checkExclusions(_ failure: MockFailure, _ entries: [Entry]) {
        let excluded: [Key]
        let reason: String
        switch failure {
        case .urlError:
            (excluded, reason) = ([.status, .headers, .pace, .open, .body, .fill], "after which nothing arrives")
        case .empty: (excluded, reason) = ([.pace, .open, .body, .fill], "which has no body")
        case .truncated, .malformed: (excluded, reason) = ([.open], "which ends the connection")
        }
        let name = entries.first { $0.key == .failure }?.entry.node.string ?? ""
        for (key, entry) in entries where excluded.contains(key) {
            reader.report(
                entry.keyOffset, "\"\(key.rawValue)\" cannot be combined with the failure \"\(name)\", \(reason)",
                fix: "remove one of them")
        }
    }

    // MARK: Values

    private mutating func headers(_ entry: Node.Entry) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        for field in reader.members(entry, ignoringCase: true, fix: "write { \"ETag\": \"1\" }") ?? [] {
            if !HTTPSyntax.isToken(field.key) {
                reader.report(
                    field.keyOffset, "\"\(field.key)\" is not a valid header name",
                    fix: "use letters, digits and !#$%&'*+-.^_`|~")
            }
            let values = if case .array(let elements) = field.node.value { elements } else { [field.node] }
            for value in values {
                guard let text = value.string else {
                    reader.report(
                        value.offset, "the header \"\(field.key)\" is \(value.value.kind)", fix: "put it in quotes")
                    continue
                }
                if !HTTPSyntax.isFieldValue(text) {
                    reader.report(
                        value.offset, "the header \"\(field.key)\" contains a line break or a NUL character",
                        fix: "remove it")
                }
                var rest = text[...]
                while let source = rest.utf8.firstRange(of: MockSettings.headerSource.utf8) {
                    rest = rest[source.upperBound...]
                    guard rest.cut(at: "}")?.before.isEmpty ?? true else { continue }
                    reader.report(
                        value.offset, "the header \"\(field.key)\" names no key of the environment",
                        fix: "write {env.baseURL}, or another key")
                    break
                }
                headers.append((field.key, text))
            }
        }
        return headers
    }

    private mutating func failure(_ entry: Node.Entry) -> MockFailure? {
        let fix = "use truncated, malformed, empty, or the name of a URLError.Code such as timedOut"
        return reader.choice(entry, MockFailure.names, fix: fix).flatMap { MockFailure($0) }
    }

    private enum PaceKey: String, CaseIterable {
        case each, delay
    }

    private mutating func pace(_ entry: Node.Entry) -> MockPace? {
        guard entry.node.entries != nil else {
            reader.reportKind(entry, "a dictionary", fix: "write { \"each\": \"line\", \"delay\": 0.2 }")
            return nil
        }
        var pace = MockPace()
        for (key, entry) in reader.entries(of: entry.node, "in \"pace\"", known: PaceKey.allCases) {
            switch key {
            case .each:
                let unit = reader.parse(entry) { text throws(FileProblem) in
                    if let unit = MockPace.Unit(text) { return unit }
                    throw FileProblem(
                        "it is no piece of a body" + NearestName.hint(text, in: ["event", "line"]),
                        fix: "use event, line, or a number of bytes: bytes:4096")
                }
                pace.unit = unit ?? pace.unit
            case .delay:
                if let delay = seconds(entry.node) {
                    pace.delay = delay
                } else {
                    reader.reportKind(
                        entry, "a time in seconds from 0 to \(Self.longestDelay)",
                        fix: "write the time before each piece, for example 0.2")
                }
            }
        }
        return pace
    }

    private mutating func open(_ entry: Node.Entry) -> Bool? {
        if case .boolean(let isOpen) = entry.node.value { return isOpen }
        reader.reportKind(entry, "true or false", fix: "write true if the connection stays open after the body")
        return nil
    }

    /// The number of pieces of a truncated body.
    private mutating func pieces(_ entry: Node.Entry) -> Int? {
        guard case .string(let text) = entry.node.value else { return reader.integer(entry, in: 0...1_000_000) }
        // The same key beside a sequence says what follows the last answer.
        let isOfSequence = AfterSequence(rawValue: text) != nil
        reader.report(
            entry.node.offset,
            isOfSequence
                ? "\"after\" is \"\(text)\", which needs a \"sequence\" beside it"
                : "\"after\" is \"\(text)\" where a number of pieces is expected",
            fix: isOfSequence
                ? "move it beside the sequence, or remove it" : "write a number, for example 3")
        return nil
    }

    private enum DelayKey: String, CaseIterable {
        case median, p99
    }

    private mutating func delay(_ entry: Node.Entry) -> MockDelay? {
        switch entry.node.value {
        case .array(let elements):
            let bounds = elements.compactMap(seconds)
            guard elements.count == 2, bounds.count == 2, bounds[0] <= bounds[1] else { break }
            return .uniform(bounds[0]...bounds[1])
        case .dictionary:
            let found = reader.entries(of: entry.node, "in \"delay\"", known: DelayKey.allCases)
            let median = found.first { $0.key == .median }.flatMap { seconds($0.entry.node) }
            let p99 = found.first { $0.key == .p99 }.flatMap { seconds($0.entry.node) }
            guard let median, let p99, median > 0, median <= p99 else { break }
            return .logNormal(median: median, p99: p99)
        default:
            if let seconds = seconds(entry.node) { return .fixed(seconds) }
        }
        reader.reportKind(
            entry, "a time in seconds from 0 to \(Self.longestDelay)",
            fix: "write 0.25, [0.1, 0.6] from the shortest to the longest, or { \"median\": 0.2, \"p99\": 1.5 }")
        return nil
    }

    /// The maximum delay: one day, in seconds.
    private static let longestDelay = 86_400

    private func seconds(_ node: Node) -> Double? {
        let seconds: Double
        switch node.value {
        case .integer(let number): seconds = Double(number)
        case .real(let number): seconds = number
        default: return nil
        }
        return (0...Double(Self.longestDelay)).contains(seconds) ? seconds : nil
    }

    private mutating func fill(_ entry: Node.Entry) -> [MockSubstitution] {
        let places = reader.members(entry, fix: "write { \"/id\": \"arg.id\" }") ?? []
        return places.compactMap { place in
            var pointer: JSONPointer?
            do throws(FileProblem) { pointer = try JSONPointer(place.key) } catch {
                reader.report(
                    place.keyOffset, "\"\(place.key)\" is not a valid JSON Pointer: \(error.message)", fix: error.fix)
            }
            let source = reader.parse(place) { text throws(FileProblem) in try MockSubstitution.Source(text) }
            guard let pointer, let source else { return nil }
            return MockSubstitution(pointer: pointer, source: source, line: reader.document.line(of: place.keyOffset))
        }
    }

    // MARK: Other files

    private mutating func body(_ entry: Node.Entry) -> String? {
        let path = MockBodyPath(listing: listing, folder: folder)
        return reader.parse(entry) { text throws(FileProblem) in try path.file(named: text) }
    }

    private mutating func then(_ entry: Node.Entry) -> [(mock: String, variant: String)] {
        var found: [(mock: String, variant: String)] = []
        for mock in reader.members(entry, fix: "write { \"jobs/list\": \"withNew\" }") ?? [] {
            let files = listing.files(of: mock.key)
            if files.isEmpty {
                reader.report(
                    mock.keyOffset,
                    "there is no mock \"\(mock.key)\"" + listing.hints.hint(mock.key, in: listing.mockNames),
                    fix: "correct or remove it")
            }
            guard let variant = reader.text(mock), !files.isEmpty else { continue }
            if files.variant(variant) == nil {
                let names = files.variants.map(\.name)
                reader.report(
                    mock.node.offset,
                    "the mock \"\(mock.key)\" has no variant \"\(variant)\"" + listing.hints.hint(variant, in: names),
                    fix: names.isEmpty
                        ? "add \(MockFileName.newFile(of: files.name, variant: variant))"
                        : "use \(names.joined(separator: ", "))")
            }
            found.append((mock.key, variant))
        }
        return found
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
        let nearest = listing.hints.name(nearest: file, in: listing.files)
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
