import Foundation

/// The value of one key in an environment, merged from all layers, and where the value comes from.
package final class Setting: Sendable {
    /// The value. For a dictionary, this value is always empty; the entries are in ``members``.
    package let value: Node.Value
    package let source: ValueSource
    /// The entries of this dictionary; empty for any other value.
    let members: Members
    /// The nearest non-null value in a lower layer, if this value is null. The value from the lower layer determines
    /// the key's type.
    private let belowNull: Node.Value?

    /// The entries of a dictionary, in the order in which their keys first appear.
    struct Members: Sendable {
        typealias Element = (key: String, setting: Setting)

        private(set) var list: [Element] = []
        /// The indices of the keys in the list. The dictionary is empty if there are few keys, because a search in a
        /// short list is faster.
        private var indices: [String: Int] = [:]

        private static let few = 16

        private func index(_ key: String) -> Int? { indices.isEmpty ? list.firstIndex { $0.key == key } : indices[key] }

        subscript(key: String) -> Setting? { index(key).map { list[$0].setting } }

        /// Adds a key, or replaces its setting.
        mutating func change(_ key: String, _ change: (_ old: Setting?) -> Setting) {
            if let index = index(key) {
                list[index].setting = change(list[index].setting)
            } else {
                list.append((key, change(nil)))
                if list.count <= Self.few { return }
                for index in indices.count..<list.count { indices[list[index].key] = index }
            }
        }
    }

    /// The keys of this dictionary, in the order in which they first appear; empty for any other value.
    package var keys: [String] { members.list.map(\.key) }

    /// True for a dictionary, whose entries are in ``members``.
    package var isDictionary: Bool { if case .dictionary = value { true } else { false } }

    /// True when the key's value is null.
    var isNull: Bool { value.isNull }

    /// A value that has the key's type. If the key's own value is null, the property is the nearest non-null value in a
    /// lower layer. If the key is null in all layers, the property is null.
    var typical: Node.Value { isNull ? belowNull ?? .null : value }

    /// The merged value as a single node.
    package var node: Node {
        guard isDictionary else { return Node(value, offset: source.offset) }
        return Node(
            .dictionary(members.list.map { Node.Entry(key: $0.key, node: $0.setting.node) }), offset: source.offset)
    }

    /// Creates a setting for a value that is not a dictionary.
    init(_ value: Node.Value, _ source: ValueSource, belowNull: Node.Value? = nil) {
        (self.value, self.source, self.belowNull, members) = (value, source, belowNull, Members())
    }

    /// Creates a setting for a dictionary.
    init(_ members: Members, _ source: ValueSource) {
        (value, self.source, belowNull, self.members) = (.dictionary([]), source, nil, members)
    }

    /// Creates a setting from a value in one layer. A dictionary's entries become ``members``.
    convenience init(_ node: Node, _ source: ValueSource) {
        guard let entries = node.entries else {
            self.init(node.value, source)
            return
        }
        var members = Members()
        for entry in entries { members.change(entry.key) { _ in Setting(entry.node, source.moved(to: entry)) } }
        self.init(members, source)
    }

    /// Creates a setting from a file, without the reserved keys.
    package convenience init(_ document: Document) {
        let entries = (document.root.entries ?? []).filter { $0.key.utf8.first != UInt8(ascii: "$") }
        self.init(Node(.dictionary(entries)), .file(document, offset: document.root.offset))
    }

    /// The setting of a key directly in this dictionary.
    package subscript(key: String) -> Setting? { members[key] }

    /// The setting at a dotted path.
    package subscript(path path: String) -> Setting? {
        // `cut(at:)` is generic over all kinds of text, and would take most of the time of a load here.
        guard let dot = path.utf8.firstIndex(of: UInt8(ascii: ".")) else { return self[path] }
        return self[String(path[..<dot])]?[path: String(path[path.utf8.index(after: dot)...])]
    }

    /// Returns a copy with another setting at a dotted path. Missing dictionaries on the path are added. If a value on
    /// the path is not a dictionary, the copy is unchanged.
    ///
    /// - Parameters:
    ///   - source: the source of added dictionaries.
    ///   - change: receives the old setting, or nil if there is none.
    func changing(_ path: Substring, from source: ValueSource, _ change: (_ old: Setting?) -> Setting) -> Setting {
        guard isDictionary else { return self }
        var members = members
        if let (key, rest) = path.cut(at: ".") {
            members.change(String(key)) { ($0 ?? Setting(Members(), source)).changing(rest, from: source, change) }
        } else {
            members.change(String(path), change)
        }
        return Setting(members, self.source)
    }

    /// Returns a copy without some keys, at any depth.
    ///
    /// - Parameters:
    ///   - paths: the dotted paths of the keys.
    ///   - path: the dotted path of this setting, empty for a whole environment.
    func removing(_ paths: Set<String>, below path: String = "") -> Setting {
        guard isDictionary, !paths.isEmpty else { return self }
        var left = Members()
        for (key, setting) in members.list {
            let path = Self.path(of: key, in: path)
            if !paths.contains(path) { left.change(key) { _ in setting.removing(paths, below: path) } }
        }
        return Setting(left, source)
    }

    /// The place of a key. The dotted path is only built when it is read.
    struct Place {
        /// The dotted path of the dictionary around the key; empty at the top.
        let parent: String
        let key: String

        /// The dotted path.
        var path: String { parent.isEmpty ? key : "\(parent).\(key)" }
    }

    /// Calls the body, in order, for every nested key whose value is not a dictionary. If this setting is not a
    /// dictionary, calls the body once with the setting itself.
    ///
    /// - Parameter path: the dotted path of the setting, empty for a whole environment.
    func forEachPlace(below path: String = "", _ body: (Place, Setting) -> Void) {
        guard isDictionary else { return body(Place(parent: "", key: path), self) }
        for (key, setting) in members.list {
            let place = Place(parent: path, key: key)
            if setting.isDictionary { setting.forEachPlace(below: place.path, body) } else { body(place, setting) }
        }
    }

    /// Does the same as ``forEachPlace(below:_:)`` for a whole environment. The closure returns the dotted path of the
    /// key.
    package func forEachLeaf(_ body: (_ path: () -> String, Setting) -> Void) {
        forEachPlace { place, setting in body({ place.path }, setting) }
    }

    /// The dotted path of a key in the dictionary at `path`.
    package static func path(of key: String, in path: String) -> String { Place(parent: path, key: key).path }
}

// MARK: Layers

extension Setting {
    /// Returns this setting merged over the setting of a lower layer: dictionaries are merged, and any other value
    /// replaces the lower value. If the types of the two values are incompatible, a problem is reported.
    ///
    /// Layering is associative.
    ///
    /// - Parameter place: the place of both settings; nil for whole environments.
    func laid(over old: Setting, at place: Place? = nil, _ problems: inout [FileProblem]) -> Setting {
        if isDictionary, old.isDictionary {
            let path = place?.path ?? ""
            var merged = old.members
            for (key, setting) in members.list {
                merged.change(key) { old in
                    old.map { setting.laid(over: $0, at: Place(parent: path, key: key), &problems) } ?? setting
                }
            }
            return Setting(merged, old.source)
        }
        guard let value = old.typical.replaced(by: typical) else {
            let path = place?.path ?? ""
            problems.append(typeChange(of: old, at: path).ofValue(at: path))
            // If the old setting is null, the new setting replaces it although the types are incompatible. Otherwise,
            // the null would be reported as a missing value, in addition to the type problem.
            return old.isNull ? self : old
        }
        if isNull { return Setting(.null, source, belowNull: value) }
        return value.kind == self.value.kind ? self : Setting(value, source)
    }

    private func typeChange(of old: Setting, at path: String) -> FileProblem {
        let other = old.typical
        func problem(_ kind: String, _ reason: String = "", fix: String) -> FileProblem {
            source.problem("\"\(path)\" is \(kind) here and \(other.kind) in \(old.source)" + reason, fix: fix)
        }
        return switch (value, other) {
        case (.null, .dictionary): problem("null", fix: "list it in \"$unset\", or write null for its keys")
        case (.dictionary, .null) where old.belowNull == nil:
            problem(value.kind, fix: "declare its keys there, each with the value null")
        case (.string, .date), (.date, .string):
            problem(value.kind, ", and the text is not a date", fix: "write the text as 2026-01-31T12:00:00Z")
        case (.string, .data), (.data, .string):
            problem(value.kind, ", and the text is not base64", fix: "encode the text as base64")
        default: problem(typical.kind, fix: "give it the same type in both")
        }
    }
}

extension Node.Value {
    /// This value, converted to the kind of `other` if necessary, so that it can replace `other`; nil if the two kinds
    /// are incompatible.
    package func converted(toKindOf other: Node.Value) -> Node.Value? {
        switch (self, other) {
        case (.null, _), (_, .null): self
        case (.integer(let number), .real): .real(Double(number))
        case (.real, .integer): self
        case (.string(let text), .date): ISO8601Text.date(text).map(Node.Value.date)
        case (.string(let text), .data): Data(base64Encoded: text).map(Node.Value.data)
        case (.date, .string(let text)): ISO8601Text.date(text) == nil ? nil : self
        case (.data, .string(let text)): Data(base64Encoded: text) == nil ? nil : self
        // Each kind has a unique name.
        default: kind == other.kind ? self : nil
        }
    }

    /// The value that results when a higher layer replaces this value with `new`; nil when the kinds of the two values
    /// are incompatible. A null is compatible with any kind except a dictionary.
    fileprivate func replaced(by new: Node.Value) -> Node.Value? {
        switch (self, new) {
        // If null could replace a dictionary, layering would not be associative for a null between two dictionaries.
        case (.dictionary, .null), (.null, .dictionary): nil
        case (_, .null): self
        default: new.converted(toKindOf: self)
        }
    }
}

/// The source of a value in an environment.
package struct ValueSource: Sendable, CustomStringConvertible {
    /// The document of the file. For a value that is not from a file, the document has no content, and the document's
    /// path is the name of the source.
    package let document: Document
    /// The byte offset in the file; nil if the offset is unknown.
    package let offset: Int?

    /// The value comes from a file, at this byte offset; nil if the offset is unknown.
    package static func file(_ document: Document, offset: Int?) -> ValueSource {
        ValueSource(document: document, offset: offset)
    }

    /// The value comes from the environment variable with this name.
    package static func variable(_ name: String) -> ValueSource { named("environment variable \(name)") }

    /// The value comes from the app's `SecretSource`.
    static var secretSource: ValueSource { named("the app's SecretSource") }

    static var code: ValueSource { named("code") }

    private static func named(_ name: String) -> ValueSource {
        .file(Document(path: name, root: Node(.null)), offset: nil)
    }

    /// The source as shown in messages: `Environments/Staging-Env.json:3`, `environment variable ENV__HOST` or `code`.
    package var description: String { document.path + (document.line(of: offset).map { ":\($0)" } ?? "") }

    /// A problem with the value, located at this source.
    package func problem(_ message: String, fix: String?) -> FileProblem {
        document.problem(at: offset, message, fix: fix)
    }

    /// Returns the source of an entry in a dictionary that has this source.
    func moved(to entry: Node.Entry) -> ValueSource { .file(document, offset: entry.keyOffset ?? entry.node.offset) }
}
