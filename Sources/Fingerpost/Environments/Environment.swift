import FingerpostFiles
public import Foundation

/// One named configuration: the values of `Environments/<Name>-Env.plist` or `.json`.
///
/// ```swift
/// let environment = try Environment.current
/// let retries = try environment.value("retries", as: Int.self)
/// let host = try environment.value("analytics.host", as: URL.self)      // nested keys by dotted path
/// let settings = try environment.decode(AppSettings.self)               // or everything at once
/// ```
///
/// A small extension gives the keys names, so that call sites cannot misspell them:
///
/// ```swift
/// extension Environment {
///     static var apiBasePath: String { get throws { try current.value("apiBasePath") } }
/// }
/// ```
///
/// In a file that imports SwiftUI too, write `@SwiftUI.Environment` for the property wrapper of the same name.
public struct Environment: Sendable {
    /// How calls are answered.
    public enum Network: String, Sendable, Hashable, CaseIterable {
        /// By the servers that the routes lead to.
        case live
        /// By mocks alone. Nothing is ever sent.
        case sealed
    }

    /// The name by which it is selected: what stands before `-Env` in the file's name.
    public let name: String
    /// The file's value for `description`, or else the name. `Testing` makes the environment sealed.
    public let description: String
    /// The file it was read from; nil when it was made in code.
    public let file: URL?
    /// How calls are answered: the file's value for `$network`; by default `sealed` for the description `Testing` and
    /// `live` for any other.
    public let network: Network

    /// What was read, behind one reference: an environment is handed along with every call.
    private final class Content: Sendable {
        let document: Document
        /// Every value by its dotted path, dictionaries included.
        let values: [String: Node]
        /// The values that can be base URLs, taken apart once.
        let baseURLs: [String: BaseURL]

        init(_ document: Document) {
            self.document = document
            values = Environment.flatten(document.root)
            baseURLs = values.compactMapValues { $0.string.flatMap { try? BaseURL($0) } }
        }
    }

    private let content: Content
    private var document: Document { content.document }
    private var values: [String: Node] { content.values }

    /// An environment made in code, for tests and previews.
    ///
    /// - Parameters:
    ///   - name: becomes the description too, unless the values have one.
    ///   - values: what a file would hold.
    public init(_ name: String, values: Parameters = [:]) throws(EnvironmentError) {
        let document: Document
        do {
            document = try Document(
                json: JSONObjectWriter.data(values, encoder: .standard), path: "the environment \"\(name)\"")
        } catch {
            throw EnvironmentError(
                .invalidFile, "the values of the environment \"\(name)\" cannot be written: \(error)")
        }
        try self.init(name: name, file: nil, document: document)
    }

    init(name: String, file: URL?, document: Document) throws(EnvironmentError) {
        self.name = name
        self.file = file
        content = Content(document)
        description = try Self.text(content.values["description"], "description", in: document) ?? name
        network = try Self.network(content.values["$network"], description: description, in: document)
    }

    /// True when the description is `Testing`.
    public var isTesting: Bool { description == "Testing" }

    /// True when only mocks answer: see ``network-swift.property``.
    public var isSealed: Bool { network == .sealed }

    /// Every key, nested ones by dotted path, in alphabetical order; without the reserved ones that start with `$`.
    public var keys: [String] {
        values.filter { $0.value.entries == nil && !$0.key.hasPrefix("$") }.keys.sorted()
    }

    /// The value of a key.
    ///
    /// - Parameters:
    ///   - key: a key of the file; a nested one by dotted path, `analytics.host`.
    ///   - type: any `Decodable`. An integer is accepted for `Double`, and text with a scheme for `URL`.
    /// - Throws: ``EnvironmentError``: `missingKey` with the nearest key, or `wrongType` with the line of the value.
    public func value<Value: Decodable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(EnvironmentError) -> Value {
        guard let node = values[key] else {
            throw EnvironmentError(
                .missingKey, "the key \"\(key)\" is missing" + NearestName.hint(key, in: values.keys),
                file: document.path, fix: "add it, or correct the name in the code")
        }
        switch (node.value, type) {
        case (.string(let text), is String.Type): if let value = text as? Value { return value }
        case (.integer(let number), is Int.Type): if let value = number as? Value { return value }
        case (.boolean(let flag), is Bool.Type): if let value = flag as? Value { return value }
        case (.string(let text), is URL.Type):
            guard let url = URL(string: text), url.scheme != nil else {
                throw wrongType(node, key, "\"\(Redaction.url(text))\" is no URL with a scheme", fix: "write https://…")
            }
            if let value = url as? Value { return value }
        default: break
        }
        return try decode(node, key: key, as: type)
    }

    /// The value of a key that the environment may leave out.
    ///
    /// - Returns: nil when the key is missing or null.
    /// - Throws: ``EnvironmentError`` of the kind `wrongType`.
    public func optionalValue<Value: Decodable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(EnvironmentError) -> Value? {
        guard let node = values[key] else { return nil }
        if case .null = node.value { return nil }
        return try value(key, as: type)
    }

    /// Every value at once, as a type of your own.
    ///
    /// - Throws: ``EnvironmentError`` with the key and the line of the first value that does not fit.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(EnvironmentError) -> Value {
        try decode(document.root, key: nil, as: type)
    }

    /// The base URL of the calls.
    func baseURL(_ key: String) throws(EnvironmentError) -> BaseURL {
        if let baseURL = content.baseURLs[key] { return baseURL }
        let text: String = try value(key)
        do throws(BaseURL.Unusable) { return try BaseURL(text) } catch {
            throw EnvironmentError(
                .wrongType,
                document.problem(at: values[key]?.offset, "the key \"\(key)\": \(error.reason)", fix: error.fix))
        }
    }

    /// How the servers of this environment want queries written; nil leaves it to the client.
    var dialect: QueryDialect? {
        get throws(EnvironmentError) {
            guard let node = values["$dialect"] else { return nil }
            let dialects: [String: QueryDialect] = ["standard": .standard, "rails": .rails, "java": .java]
            let text: String = try value("$dialect")
            if let dialect = dialects[text] { return dialect }
            throw EnvironmentError(
                .wrongType,
                document.problem(
                    at: node.offset,
                    "\"\(text)\" is no value of \"$dialect\"" + NearestName.hint(text, in: dialects.keys),
                    fix: "use \(dialects.keys.sorted().joined(separator: ", "))"))
        }
    }

    /// How people are told which environment this is.
    var label: String {
        file == nil ? name : "\(description) (\(document.path))"
    }

    // MARK: Reading

    private func decode<Value: Decodable>(
        _ node: Node, key: String?, as type: Value.Type
    ) throws(EnvironmentError) -> Value {
        do {
            return try JSONDecoder.standard.decode(type, from: try JSONEncoder.standard.encode(NodeValue(node)))
        } catch let error as DecodingError {
            let found = node.descendant(error.path) ?? node
            let path = ([key].compactMap { $0 } + [CodingPath.text(error.path)].filter { !$0.isEmpty })
                .joined(separator: ".")
            let isMissingKey = if case .keyNotFound = error { true } else { false }
            throw EnvironmentError(
                isMissingKey ? .missingKey : .wrongType,
                document.problem(
                    at: found.offset,
                    (path.isEmpty ? "" : "the key \"\(path)\" is \(found.value.kind): ") + error.reason,
                    fix: "correct the value, or ask for another type than \(type)"))
        } catch {
            throw EnvironmentError(.wrongType, "\(error)", file: document.path)
        }
    }

    private func wrongType(_ node: Node, _ key: String, _ message: String, fix: String) -> EnvironmentError {
        EnvironmentError(.wrongType, document.problem(at: node.offset, "the key \"\(key)\": \(message)", fix: fix))
    }

    fileprivate static func flatten(_ root: Node) -> [String: Node] {
        var values: [String: Node] = [:]
        func add(_ node: Node, below path: String?) {
            for entry in node.entries ?? [] {
                let key = path.map { "\($0).\(entry.key)" } ?? entry.key
                values[key] = entry.node
                add(entry.node, below: key)
            }
        }
        add(root, below: nil)
        return values
    }

    private static func text(_ node: Node?, _ key: String, in document: Document) throws(EnvironmentError) -> String? {
        guard let node else { return nil }
        guard let text = node.string else {
            throw EnvironmentError(
                .wrongType,
                document.problem(
                    at: node.offset, "the key \"\(key)\" is \(node.value.kind) where text is expected",
                    fix: "put it in quotes"))
        }
        return text
    }

    private static func network(
        _ node: Node?, description: String, in document: Document
    ) throws(EnvironmentError) -> Network {
        guard let text = try text(node, "$network", in: document) else {
            return description == "Testing" ? .sealed : .live
        }
        guard let network = Network(rawValue: text) else {
            let names = Network.allCases.map(\.rawValue)
            throw EnvironmentError(
                .wrongType,
                document.problem(
                    at: node?.offset, "\"\(text)\" is no value of \"$network\"" + NearestName.hint(text, in: names),
                    fix: "use \(names.joined(separator: " or "))"))
        }
        return network
    }
}

extension Environment: CustomStringConvertible {}
