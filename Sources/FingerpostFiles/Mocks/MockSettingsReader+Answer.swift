/// What one answer says: the settings of a mock, or one answer of its sequence.
extension MockSettingsReader {
    mutating func answer(_ node: Node, _ entries: [(key: String, entry: Node.Entry)]) -> MockAnswerSettings {
        var answer = MockAnswerSettings()
        answer.line = document.line(of: node.offset)
        for (key, entry) in entries {
            switch Key(rawValue: key) {
            case .status: answer.status = status(entry)
            case .headers: answer.headers = headers(entry)
            case .delay: answer.delay = delay(entry)
            case .failure: answer.failure = failure(entry)
            case .body: answer.body = body(entry)
            case .fill: answer.fill = fill(entry)
            case .then: answer.then = then(entry)
            default: break
            }
        }
        if let failure = answer.failure { checkExclusions(failure, entries) }
        return answer
    }

    private mutating func checkExclusions(_ failure: MockFailure, _ entries: [(key: String, entry: Node.Entry)]) {
        let excluded: [Key]
        let reason: String
        switch failure {
        case .urlError: (excluded, reason) = ([.status, .headers, .body, .fill], "after which nothing arrives")
        case .empty: (excluded, reason) = ([.body, .fill], "which has no body")
        case .truncated, .malformed: return
        }
        let name = entries.first { $0.key == Key.failure.rawValue }?.entry.node.string ?? ""
        for (key, entry) in entries where Key(rawValue: key).map(excluded.contains) ?? false {
            report(
                entry.keyOffset, "\"\(key)\" stands beside the failure \"\(name)\", \(reason)",
                fix: "remove one of them")
        }
    }

    // MARK: Values

    private mutating func status(_ entry: Node.Entry) -> Int? {
        guard case .integer(let status) = entry.node.value, (100...599).contains(status) else {
            reportKind(entry, "a whole number from 100 to 599")
            return nil
        }
        return status
    }

    private mutating func headers(_ entry: Node.Entry) -> [(name: String, value: String)] {
        guard let fields = entry.node.entries else {
            reportKind(entry, "a dictionary", fix: "write { \"ETag\": \"1\" }")
            return []
        }
        var headers: [(name: String, value: String)] = []
        var names: Set<String> = []
        for field in fields {
            if !names.insert(field.key.lowercased()).inserted { reportTwice(field) }
            if !FieldSyntax.isToken(field.key) {
                report(
                    field.keyOffset, "\"\(field.key)\" is no name of a header",
                    fix: "use letters, digits and !#$%&'*+-.^_`|~")
            }
            let values = if case .array(let elements) = field.node.value { elements } else { [field.node] }
            for value in values {
                guard let text = value.string else {
                    report(value.offset, "the header \"\(field.key)\" is \(value.value.kind)", fix: "put it in quotes")
                    continue
                }
                if !FieldSyntax.isValue(text) {
                    report(
                        value.offset, "the header \"\(field.key)\" holds a line break or a NUL character",
                        fix: "remove it")
                }
                headers.append((field.key, text))
            }
        }
        return headers
    }

    private mutating func failure(_ entry: Node.Entry) -> MockFailure? {
        let fix = "use truncated, malformed, empty, or the name of a URLError.Code such as timedOut"
        return choice(entry, MockFailure.names, fix: fix).flatMap { MockFailure($0) }
    }

    private mutating func delay(_ entry: Node.Entry) -> MockDelay? {
        switch entry.node.value {
        case .array(let elements):
            let bounds = elements.compactMap(seconds)
            guard elements.count == 2, bounds.count == 2, bounds[0] <= bounds[1] else { break }
            return .uniform(bounds[0]...bounds[1])
        case .dictionary:
            let found = entries(of: entry.node, "\"delay\"", known: ["median", "p99"])
            let median = found.first { $0.key == "median" }.flatMap { seconds($0.entry.node) }
            let p99 = found.first { $0.key == "p99" }.flatMap { seconds($0.entry.node) }
            guard let median, let p99, median > 0, median <= p99 else { break }
            return .logNormal(median: median, p99: p99)
        default:
            if let seconds = seconds(entry.node) { return .fixed(seconds) }
        }
        reportKind(
            entry, "a time in seconds from 0 to \(Self.longestDelay)",
            fix: "write 0.25, [0.1, 0.6] from the shortest to the longest, or { \"median\": 0.2, \"p99\": 1.5 }")
        return nil
    }

    /// In seconds: a day.
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
        guard let places = entry.node.entries else {
            reportKind(entry, "a dictionary", fix: "write { \"/id\": \"arg.id\" }")
            return []
        }
        var fills: [MockSubstitution] = []
        var keys: Set<String> = []
        for place in places {
            if !keys.insert(place.key).inserted { reportTwice(place) }
            var pointer: JSONPointer?
            do throws(Objection) { pointer = try JSONPointer(place.key) } catch {
                report(place.keyOffset, "\"\(place.key)\" is no place in a body: \(error.message)", fix: error.fix)
            }
            let source = text(place).flatMap { text in
                read(text, place) { text throws(Objection) in try MockSubstitution.Source(text) }
            }
            guard let pointer, let source else { continue }
            fills.append(MockSubstitution(pointer: pointer, source: source, line: document.line(of: place.keyOffset)))
        }
        return fills
    }

    // MARK: Other files

    private mutating func body(_ entry: Node.Entry) -> String? {
        guard let text = text(entry) else { return nil }
        let path = MockBodyPath(listing: listing, folder: folder)
        return read(text, entry) { text throws(Objection) in try path.file(named: text) }
    }

    private mutating func then(_ entry: Node.Entry) -> [(mock: String, variant: String)] {
        guard let mocks = entry.node.entries else {
            reportKind(entry, "a dictionary", fix: "write { \"jobs/list\": \"withNew\" }")
            return []
        }
        var found: [(mock: String, variant: String)] = []
        var keys: Set<String> = []
        for mock in mocks {
            if !keys.insert(mock.key).inserted { reportTwice(mock) }
            let files = listing.files(of: mock.key)
            if files.isEmpty {
                report(
                    mock.keyOffset,
                    "there is no mock \"\(mock.key)\"" + NearestName.hint(mock.key, in: listing.mockNames),
                    fix: "correct or remove it")
            }
            guard let variant = text(mock), !files.isEmpty else { continue }
            if files.variant(variant) == nil {
                let names = files.variants.map(\.name)
                report(
                    mock.node.offset,
                    "the mock \"\(mock.key)\" has no variant \"\(variant)\"" + NearestName.hint(variant, in: names),
                    fix: names.isEmpty ? "add \(files.name).\(variant).json" : "use \(names.joined(separator: ", "))")
            }
            found.append((mock.key, variant))
        }
        return found
    }
}
