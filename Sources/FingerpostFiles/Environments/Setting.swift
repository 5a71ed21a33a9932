import Foundation

/// The value of one key in an environment, merged from all layers, and where the value comes from.
package struct Setting: Sendable {
    /// The value. For a dictionary, this value is always empty; the entries are in ``members``.
    package var value: Node.Value
    /// Where the value comes from.
    package var source: ValueSource
    /// The entries of this dictionary, in the order in which their keys first appear. Empty for any other value.
    package private(set) var members: [Member] = []
    /// The index of each key in ``members``.
    private var indices: [String: Int] = [:]
    /// If this value is null, the nearest value in a lower layer that is not null. The value from the lower layer
    /// determines the key's type.
    private var belowNull: Node.Value?

    /// One key of a dictionary, with its setting.
    package struct Member: Sendable {
        package let key: String
        fileprivate(set) var setting: Setting
    }

    /// True for a dictionary, whose entries are in ``members``.
    package var isDictionary: Bool {
        if case .dictionary = value { true } else { false }
    }

    /// True when the key's value is null.
    package var isNull: Bool { value.isNull }

    /// A value that has the key's type. If the key's own value is null, this is the nearest value in a lower layer that
    /// is not null; if the key is null in all layers, the result is null.
    var typical: Node.Value { isNull ? belowNull ?? .null : value }

    /// The merged value as a single node.
    package var node: Node {
        let offset = if case .file(_, let offset) = source { offset } else { Int?.none }
        guard isDictionary else { return Node(value, offset: offset) }
        return Node(.dictionary(members.map { Node.Entry(key: $0.key, node: $0.setting.node) }), offset: offset)
    }

    /// Creates a setting from a value in one layer. A dictionary's entries become ``members``.
    init(_ node: Node, _ source: ValueSource) {
        value = node.value
        self.source = source
        guard let entries = node.entries else { return }
        value = .dictionary([])
        members.reserveCapacity(entries.count)
        indices.reserveCapacity(entries.count)
        for entry in entries { set(entry.key, to: Setting(entry.node, source.moved(to: entry))) }
    }

    /// Creates a setting for an empty dictionary.
    init(_ source: ValueSource) {
        self.init(Node(.dictionary([])), source)
    }

    /// Creates a setting from all of a file.
    package init(_ document: Document) {
        self.init(document.root, .file(document, offset: document.root.offset))
    }

    /// The setting of a key directly in this dictionary.
    package subscript(key: String) -> Setting? { indices[key].map { members[$0].setting } }

    /// Sets the value of a key directly in this dictionary, whatever its type was.
    mutating func set(_ key: String, to setting: Setting) {
        if let index = indices[key] {
            members[index].setting = setting
            return
        }
        indices[key] = members.count
        members.append(Member(key: key, setting: setting))
    }

    /// Creates a setting that wraps a value in nested dictionaries.
    ///
    /// - Parameter path: the keys of the dictionaries, outermost first.
    init(_ node: Node, at path: ArraySlice<String>, _ source: ValueSource) {
        guard let key = path.first else {
            self.init(node, source)
            return
        }
        self.init(source)
        set(key, to: Setting(node, at: path.dropFirst(), source))
    }

    /// Declares a key: if it is missing or an empty text, it is null from here on. Nothing changes below a value that
    /// is not a dictionary.
    ///
    /// - Parameter path: the names of the dictionaries around the key and of the key, outermost first.
    mutating func declare(_ path: ArraySlice<String>, _ source: ValueSource) {
        guard isDictionary, let key = path.first else { return }
        guard let index = indices[key] else {
            return set(key, to: Setting(Node(.null), at: path.dropFirst(), source))
        }
        if path.count > 1 {
            members[index].setting.declare(path.dropFirst(), source)
        } else if case .string("") = members[index].setting.value {
            members[index].setting.value = .null
        }
    }

    /// The setting at a dotted path.
    package subscript(path path: String) -> Setting? {
        guard let dot = path.utf8.firstIndex(of: UInt8(ascii: ".")) else { return self[path] }
        guard let index = indices[String(path[..<dot])] else { return nil }
        return members[index].setting[path: String(path[dot...].dropFirst())]
    }

    /// Removes keys at any depth.
    ///
    /// - Parameters:
    ///   - paths: the dotted paths of the keys.
    ///   - path: the dotted path of this setting, empty for a whole environment.
    mutating func remove(_ paths: Set<String>, below path: String = "") {
        if paths.isEmpty { return }
        let old = members
        (members, indices) = ([], [:])
        for member in old {
            let path = Self.path(of: member.key, in: path)
            if paths.contains(path) { continue }
            var setting = member.setting
            setting.remove(paths, below: path)
            set(member.key, to: setting)
        }
    }

    /// Calls the body, in order, for every nested key whose value is not a dictionary. If this setting is not a
    /// dictionary, calls the body once with the setting itself.
    ///
    /// - Parameters:
    ///   - path: the dotted path of the setting, empty for a whole environment.
    ///   - body: receives each key's dotted path and setting. The path is passed as a closure, because it takes time to
    ///     build and is often not needed.
    package func forEachLeaf(below path: String = "", _ body: (_ path: () -> String, Setting) -> Void) {
        guard isDictionary else { return body({ path }, self) }
        for member in members {
            if member.setting.isDictionary {
                member.setting.forEachLeaf(below: Self.path(of: member.key, in: path), body)
            } else {
                body({ Self.path(of: member.key, in: path) }, member.setting)
            }
        }
    }

    /// The dotted path of a key in the dictionary at `path`.
    package static func path(of key: String, in path: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }
}

// MARK: Layers

extension Setting {
    /// Layers a higher setting over this setting: dictionaries are merged, and any other value replaces this setting's
    /// value. If the types of the two values are incompatible, a problem is reported.
    ///
    /// Layering is associative.
    ///
    /// - Parameter path: the dotted path of both settings, empty for a whole environment.
    mutating func lay(
        _ new: consuming Setting, at path: String = "", _ problems: inout [FileProblem]
    ) {
        if isDictionary, new.isDictionary {
            for member in new.members { lay(member.setting, as: member.key, in: path, &problems) }
            return
        }
        guard let value = typical.replaced(by: new.typical) else {
            problems.append(new.typeChange(of: self, at: path))
            // If this setting is null, replace it although the types are incompatible; otherwise the null would be
            // reported as a missing value, in addition to the type problem.
            if isNull { self = new }
            return
        }
        if new.isNull { new.belowNull = value } else { new.value = value }
        self = new
    }

    /// Layers a higher setting over one key of this dictionary.
    ///
    /// - Parameter path: the dotted path of the dictionary, empty for a whole environment.
    mutating func lay(
        _ new: consuming Setting, as key: String, in path: String, _ problems: inout [FileProblem]
    ) {
        guard let index = indices[key] else { return set(key, to: new) }
        // If both values come from the same file, the key is a duplicate, and duplicates are reported elsewhere.
        if members[index].setting.source.isSameFile(as: new.source) {
            members[index].setting = new
            return
        }
        members[index].setting.lay(new, at: Self.path(of: key, in: path), &problems)
    }

    private func typeChange(of old: Setting, at path: String) -> FileProblem {
        let other = old.typical
        @inline(never)
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
        // Each kind has a name of its own.
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

/// Where a value in an environment comes from.
package enum ValueSource: Sendable, CustomStringConvertible {
    /// The value comes from a file, at this byte offset; nil if the offset is unknown.
    case file(Document, offset: Int?)
    /// The value comes from the process variable with this name.
    case variable(String)
    /// The value comes from the app's `SecretSource`.
    case secretSource
    /// The value was set in code.
    case code

    /// The source as shown in messages: `Environments/Staging-Env.json:3`, `process variable ENV__HOST` or `code`.
    package var description: String {
        switch self {
        case .file(let document, let offset):
            document.path + (document.line(of: offset).map { ":\($0)" } ?? "")
        case .variable(let name): "process variable \(name)"
        case .secretSource: "the app's SecretSource"
        case .code: "code"
        }
    }

    /// A problem with the value, located at this source.
    package func problem(_ message: String, fix: String?) -> FileProblem {
        switch self {
        case .file(let document, let offset): document.problem(at: offset, message, fix: fix)
        case .variable, .secretSource, .code: FileProblem(path: description, message: message, fix: fix)
        }
    }

    func isSameFile(as other: ValueSource) -> Bool {
        if case .file(let a, _) = self, case .file(let b, _) = other { a === b } else { false }
    }

    /// If this source is a file, returns the same file with the offset of `entry`; otherwise returns this source.
    func moved(to entry: Node.Entry) -> ValueSource {
        if case .file(let document, _) = self {
            .file(document, offset: entry.keyOffset ?? entry.node.offset)
        } else {
            self
        }
    }
}
