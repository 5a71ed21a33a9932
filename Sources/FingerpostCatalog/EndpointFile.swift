import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// A JSON file that describes endpoints. The file contains shared values at the top level, and one object per endpoint.
/// Each endpoint inherits the shared values.
struct EndpointFile: Sendable {
    /// The keys that an endpoint can contain.
    enum Key: String, CaseIterable, Sendable {
        case scheme, host, port, path, httpMethod, headers, queries, body, mock, authorization, timeout

        /// True for keys that are also allowed at the top level, where they apply to all endpoints.
        var isShared: Bool { self != .body && self != .mock }
    }

    /// The path of the file, as shown in messages.
    let path: String
    private let endpoints: [String: Node]
    /// The values at the top level of the file, without the endpoints.
    private let shared: Node

    /// The names of the endpoints, in alphabetical order.
    var names: [String] { endpoints.keys.sorted() }

    /// - Throws: an error that lists all problems in the file with their line numbers. Such problems are unknown keys
    ///   and wrong types.
    init(data: Data, path: String) throws(InvalidFile) {
        self.path = path
        var check = EndpointFileCheck(reader: try ObjectReader(path: path) { data })
        endpoints = check.endpoints()
        let root = check.reader.document.root
        shared = Node(.dictionary(root.entries?.filter { Key(rawValue: $0.key) != nil } ?? []))
        try check.reader.throwProblems()
    }

    /// The endpoint with this name; nil when the file does not contain it.
    func endpoint(_ name: String) -> Values? {
        endpoints[name].map { Values(own: $0, shared: shared) }
    }

    /// An endpoint's values, including the shared values that it inherits.
    struct Values: Sendable {
        fileprivate let own: Node
        fileprivate let shared: Node

        /// The endpoint's own value for a key, or the shared value if the endpoint does not set the key.
        subscript(key: Key) -> Node? {
            own[key.rawValue] ?? (key.isShared ? shared[key.rawValue] : nil)
        }

        /// The shared headers that the endpoint does not override, followed by the endpoint's own headers.
        var headers: [(name: String, value: String)] {
            let own = fields(own[Key.headers.rawValue])
            let inherited = fields(shared[Key.headers.rawValue]).filter { field in
                !own.contains { $0.name.lowercased() == field.name.lowercased() }
            }
            return inherited + own
        }

        /// The authorization of the endpoint's calls; nil if the file does not set `authorization`.
        var authorization: AuthorizationPolicy? {
            self[.authorization]?.string.flatMap(AuthorizationPolicy.init)
        }

        /// The endpoint's query parameters in the order of the file. If the endpoint does not set `queries`, the shared
        /// query parameters are used.
        var queries: [(name: String, value: Node)] {
            switch self[.queries]?.value {
            case .array(let elements)?:
                elements.flatMap { $0.entries ?? [] }.map { ($0.key, $0.node) }
            case .dictionary(let entries)?:
                entries.map { ($0.key, $0.node) }
            default: []
            }
        }

        private func fields(_ node: Node?) -> [(name: String, value: String)] {
            (node?.entries ?? []).map { ($0.key, $0.node.string ?? "") }
        }
    }
}

/// Checks a whole endpoint file, so that one error lists all problems.
private struct EndpointFileCheck {
    fileprivate var reader: ObjectReader

    /// Checks the file and returns its endpoints by name.
    mutating func endpoints() -> [String: Node] {
        guard let entries = reader.rootEntries(as: "endpoints", fix: "write { … }") else { return [:] }
        var endpoints = [String: Node]()
        endpoints.reserveCapacity(entries.count)
        reader.checkDuplicates(entries)
        let names = EndpointFile.Key.allCases.map(\.rawValue)
        for entry in entries {
            if let key = EndpointFile.Key(rawValue: entry.key) {
                checkShared(key, entry)
            } else if entry.node.entries != nil {
                endpoints[entry.key] = entry.node
                let owner = "in the endpoint \"\(entry.key)\""
                for entry in reader.entries(of: entry.node, owner, known: names) {
                    if let key = EndpointFile.Key(rawValue: entry.key) { check(key, entry) }
                }
            } else {
                let names = EndpointFile.Key.allCases.filter(\.isShared).map(\.rawValue)
                let problem = entry.unknown(among: names, " for all endpoints")
                reader.report(entry.keyOffset, problem.message, fix: problem.fix)
            }
        }
        return endpoints
    }

    private mutating func checkShared(_ key: EndpointFile.Key, _ entry: Node.Entry) {
        if key.isShared {
            check(key, entry)
        } else {
            reader.report(entry.keyOffset, "\"\(entry.key)\" cannot be shared", fix: "move it into the endpoints")
        }
    }

    // MARK: Values

    private mutating func check(_ key: EndpointFile.Key, _ entry: Node.Entry) {
        switch key {
        case .body: checkBody(entry.node)
        case .scheme: _ = reader.choice(entry, ["http", "https"])
        case .authorization:
            let policies: [AuthorizationPolicy] = [.none, .optional, .required, .anywhere]
            _ = reader.choice(entry, policies.map(\.rawValue))
        case .host, .httpMethod, .mock: _ = reader.text(entry)
        case .path: if let text = reader.text(entry) { checkPlaceholders(text, at: entry.node.offset) }
        case .port: _ = reader.integer(entry, in: 1...65_535)
        case .timeout:
            if let problem = entry.misfitOfSeconds {
                reader.report(entry.node.offset, problem.message, fix: problem.fix)
            }
        case .headers: checkHeaders(entry)
        case .queries: checkQueries(entry)
        }
    }

    private mutating func checkHeaders(_ entry: Node.Entry) {
        for field in reader.members(entry, ignoringCase: true, fix: "write { \"Accept\": \"text/plain\" }") ?? [] {
            if let text = field.node.string {
                checkPlaceholders(text, at: field.node.offset)
            } else {
                reader.report(
                    field.node.offset, "the header \"\(field.key)\" is \(field.node.value.kind)",
                    fix: "put it in quotes")
            }
        }
    }

    private mutating func checkQueries(_ entry: Node.Entry) {
        let items =
            entry.node.entries
            ?? reader.elements(entry, "dictionaries", fix: "write { \"page\": \"2\" }", as: \.entries).flatMap { $0 }
        for item in items {
            switch item.node.value {
            case .string(let text): checkPlaceholders(text, at: item.node.offset)
            case .integer, .real, .boolean: break
            default:
                reader.report(
                    item.node.offset, "the query \"\(item.key)\" is \(item.node.value.kind)",
                    fix: "use text, a number or a boolean")
            }
        }
    }

    /// Reports duplicate keys in a body, because a request could contain only one of their values. Placeholders are
    /// checked only in string values, not in keys.
    private mutating func checkBody(_ body: Node) {
        body.visit { node in
            if let entries = node.entries { reader.checkDuplicates(entries) }
            if let text = node.string { checkPlaceholders(text, at: node.offset) }
        }
    }

    private mutating func checkPlaceholders(_ text: String, at offset: Int?) {
        guard let malformed = Placeholders(text).malformed else { return }
        reader.report(
            offset, "\"\(malformed)\" is not a valid placeholder",
            fix: "write {name} with letters, digits, - and _, or escape literal braces as {{ and }}")
    }
}
