/// Checks a file of endpoints as a whole, so that every problem is told at once.
struct EndpointFileCheck {
    private(set) var problems: [FileProblem] = []
    private let document: Document

    init(_ document: Document) {
        self.document = document
    }

    /// The endpoints by name.
    mutating func endpoints() -> [String: Node] {
        guard let entries = document.root.entries else {
            report(
                document.root.offset, "the file holds \(document.root.value.kind), not endpoints", fix: "write { … }")
            return [:]
        }
        var endpoints: [String: Node] = [:]
        var shared: Set<String> = []
        endpoints.reserveCapacity(entries.count)
        for entry in entries {
            if let key = EndpointFile.Key(rawValue: entry.key) {
                if !shared.insert(entry.key).inserted { reportTwice(entry) }
                checkShared(key, entry)
            } else if let values = entry.node.entries {
                if endpoints.updateValue(entry.node, forKey: entry.key) != nil { reportTwice(entry) }
                checkEndpoint(entry.key, values)
            } else {
                reportUnknown(entry, among: EndpointFile.Key.allCases.filter(\.isShared), in: "for all endpoints")
            }
        }
        return endpoints
    }

    private mutating func checkShared(_ key: EndpointFile.Key, _ entry: Node.Entry) {
        if key.isShared {
            check(key, entry.node)
        } else {
            report(entry.keyOffset, "\"\(entry.key)\" cannot be shared", fix: "move it into the endpoints")
        }
    }

    private mutating func checkEndpoint(_ name: String, _ entries: [Node.Entry]) {
        for (index, entry) in entries.enumerated() {
            guard let key = EndpointFile.Key(rawValue: entry.key) else {
                reportUnknown(entry, among: EndpointFile.Key.allCases, in: "of the endpoint \"\(name)\"")
                continue
            }
            if entries[..<index].contains(where: { $0.key == entry.key }) { reportTwice(entry) }
            check(key, entry.node)
        }
    }

    // MARK: Values

    private mutating func check(_ key: EndpointFile.Key, _ node: Node) {
        switch key {
        case .body: checkBody(node)
        case .scheme: checkChoice(key, node, ["http", "https"])
        case .authorization: checkChoice(key, node, ["none", "optional", "required"])
        case .host, .path, .httpMethod, .mock: checkText(key, node)
        case .port: checkPort(node)
        case .timeout: checkTimeout(node)
        case .headers: checkHeaders(node)
        case .queries: checkQueries(node)
        }
    }

    private mutating func checkText(_ key: EndpointFile.Key, _ node: Node) {
        guard let text = node.string else { return reportKind(key, node, "text") }
        if key == .path { checkPlaceholders(text, at: node.offset) }
    }

    private mutating func checkChoice(_ key: EndpointFile.Key, _ node: Node, _ choices: [String]) {
        guard let text = node.string else { return reportKind(key, node, "text") }
        guard !choices.contains(text) else { return }
        report(
            node.offset, "\"\(text)\" is no value of \"\(key.rawValue)\"" + NearestName.hint(text, in: choices),
            fix: "use \(choices.joined(separator: ", "))")
    }

    private mutating func checkPort(_ node: Node) {
        guard case .integer(let port) = node.value, (1...65_535).contains(port) else {
            return reportRange(.port, node, "a whole number from 1 to 65535")
        }
    }

    private mutating func checkTimeout(_ node: Node) {
        switch node.value {
        case .integer(let seconds) where seconds > 0: break
        case .real(let seconds) where seconds > 0: break
        default: reportRange(.timeout, node, "a number of seconds over zero")
        }
    }

    private mutating func checkHeaders(_ node: Node) {
        guard let entries = node.entries else { return reportKind(.headers, node, "a dictionary") }
        for (index, entry) in entries.enumerated() {
            if entries[..<index].contains(where: { $0.key.lowercased() == entry.key.lowercased() }) {
                reportTwice(entry)
            }
            guard let text = entry.node.string else {
                report(
                    entry.node.offset, "the header \"\(entry.key)\" is \(entry.node.value.kind)",
                    fix: "put it in quotes")
                continue
            }
            checkPlaceholders(text, at: entry.node.offset)
        }
    }

    private mutating func checkQueries(_ node: Node) {
        let items: [Node.Entry]
        switch node.value {
        case .dictionary(let entries): items = entries
        case .array(let elements):
            if let wrong = elements.first(where: { $0.entries == nil }) {
                report(
                    wrong.offset, "\"queries\" holds \(wrong.value.kind) where dictionaries are expected",
                    fix: "write { \"page\": \"2\" }")
            }
            items = elements.flatMap { $0.entries ?? [] }
        default: return reportKind(.queries, node, "a list of dictionaries")
        }
        for item in items {
            switch item.node.value {
            case .string(let text): checkPlaceholders(text, at: item.node.offset)
            case .integer, .real, .boolean: break
            default:
                report(
                    item.node.offset, "the query \"\(item.key)\" is \(item.node.value.kind)",
                    fix: "use text, a number or a boolean")
            }
        }
    }

    /// A key that stands twice would be lost in silence. Placeholders stand in texts, not in keys.
    private mutating func checkBody(_ node: Node) {
        switch node.value {
        case .array(let elements):
            for element in elements { checkBody(element) }
        case .dictionary(let entries):
            var keys: Set<String> = []
            for entry in entries {
                if !keys.insert(entry.key).inserted { reportTwice(entry) }
                checkBody(entry.node)
            }
        case .string(let text): checkPlaceholders(text, at: node.offset)
        default: break
        }
    }

    private mutating func checkPlaceholders(_ text: String, at offset: Int?) {
        guard let malformed = Placeholders(text).malformed else { return }
        report(
            offset, "\"\(malformed)\" is no placeholder",
            fix: "write {name} with letters, digits, - and _, or {{ and }} for braces that are meant")
    }

    // MARK: Reports

    private mutating func report(_ offset: Int?, _ message: String, fix: String?) {
        problems.append(document.problem(at: offset, message, fix: fix))
    }

    private mutating func reportTwice(_ entry: Node.Entry) {
        report(entry.keyOffset, "\"\(entry.key)\" stands twice", fix: "keep one of them")
    }

    private mutating func reportKind(_ key: EndpointFile.Key, _ node: Node, _ expected: String) {
        report(node.offset, "\"\(key.rawValue)\" is \(node.value.kind) where \(expected) is expected", fix: nil)
    }

    /// A number is told itself, as its kind may be right.
    private mutating func reportRange(_ key: EndpointFile.Key, _ node: Node, _ expected: String) {
        let found =
            switch node.value {
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            default: node.value.kind
            }
        report(node.offset, "\"\(key.rawValue)\" is \(found) where \(expected) is expected", fix: nil)
    }

    private mutating func reportUnknown(_ entry: Node.Entry, among keys: [EndpointFile.Key], in place: String) {
        let names = keys.map(\.rawValue)
        report(
            entry.keyOffset, "unknown key \"\(entry.key)\" \(place)" + NearestName.hint(entry.key, in: names),
            fix: "use one of \(names.joined(separator: ", "))")
    }
}
