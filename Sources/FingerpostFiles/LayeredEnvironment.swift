import Foundation

/// An environment put together from its layers, and everything that is wrong with them.
///
/// Dictionaries merge; scalars and lists replace. A value may not change its type from one layer to the next, but for whole and
/// real numbers, and for text that stands for a date or for data.
package struct LayeredEnvironment: Sendable {
    /// The merged values: a dictionary of all keys, those that start with `$` left out.
    package private(set) var root: Setting
    /// The reserved keys whose last value counts.
    package private(set) var reserved: [EnvironmentRules.Key: Setting] = [:]
    package private(set) var rules = EnvironmentRules()
    package private(set) var problems: [FileProblem] = []
    /// The files, the lowest layer first.
    package private(set) var documents: [Document] = []
    /// The files that are in the repository.
    private(set) var committedDocuments: [Document] = []

    package init() {
        root = Setting(.variable(""))
    }

    /// Lays a file over what is there.
    ///
    /// - Parameter isCommitted: false for a file of secrets, which alone may hold them.
    package mutating func add(_ document: Document, isCommitted: Bool = true) {
        problems += EnvironmentKeyCheck.problems(of: document)
        rules.read(document, isCommitted: isCommitted, problems: &problems)
        if documents.isEmpty { root.source = .file(document, offset: document.root.offset) }
        documents.append(document)
        if isCommitted { committedDocuments.append(document) }
        for entry in document.root.entries ?? [] {
            let setting = Setting(entry.node, ValueSource.file(document, offset: nil).moved(to: entry))
            if let key = EnvironmentRules.Key(rawValue: entry.key) {
                reserved[key] = setting
            } else if !entry.key.hasPrefix("$") {
                Self.merge(setting, path: [Substring(entry.key)], into: &root, at: "", &problems)
            }
        }
        unset(document)
    }

    /// Lays one value over what is there, from outside the files. The key exists.
    mutating func replace(_ path: String, with value: Node.Value, from source: ValueSource) {
        Self.merge(Setting(Node(value), source), path: path.split(separator: ".")[...], into: &root, at: "", &problems)
    }

    mutating func report(_ problem: FileProblem) {
        problems.append(problem)
    }

    /// The value of a key by its dotted path; of reserved keys too.
    package subscript(path: String) -> Setting? {
        EnvironmentRules.Key(rawValue: path).flatMap { reserved[$0] } ?? root[path: path]
    }

    /// Every key that is no dictionary, by its dotted path.
    package var paths: [String] {
        var paths: [String] = []
        root.forEachLeaf { path, _ in paths.append(path) }
        return paths
    }

    // MARK: Merging

    private static func merge(
        _ new: Setting, path: ArraySlice<Substring>, into parent: inout Setting, at parentPath: String,
        _ problems: inout [FileProblem]
    ) {
        guard let first = path.first.map(String.init) else { return }
        let childPath = parentPath.isEmpty ? first : "\(parentPath).\(first)"
        guard var child = parent[first] else {
            parent[first] = new
            return
        }
        if path.count > 1 {
            merge(new, path: path.dropFirst(), into: &child, at: childPath, &problems)
        } else {
            merge(new, over: &child, at: childPath, &problems)
        }
        parent[first] = child
    }

    private static func merge(
        _ new: Setting, over old: inout Setting, at path: String, _ problems: inout [FileProblem]
    ) {
        if old.isDictionary, new.isDictionary {
            for key in new.keys {
                guard let child = new.children[key] else { continue }
                merge(child, path: [Substring(key)], into: &old, at: path, &problems)
            }
            return
        }
        var new = new
        guard let value = new.value.converted(toKindOf: old.value) else {
            problems.append(
                new.source.problem(
                    "\"\(path)\" is \(new.value.kind) here and \(old.value.kind) in \(old.source)",
                    fix: "give it the same type in both"))
            return
        }
        new.value = value
        new.replaced = [old.source] + old.replaced
        old = new
    }

    private mutating func unset(_ document: Document) {
        guard let node = document.root[EnvironmentRules.Key.unset.rawValue] else { return }
        for (path, offset) in node.texts where !root.remove(path: path.split(separator: ".")) {
            problems.append(
                document.problem(
                    at: offset,
                    "\"$unset\" names \"\(path)\", which no lower layer has" + NearestName.hint(path, in: paths),
                    fix: "correct or remove it"))
        }
    }
}

extension Node.Value {
    /// This value where `other` stood: as it is, or read as the other's kind; nil when they do not go together.
    func converted(toKindOf other: Node.Value) -> Node.Value? {
        switch (self, other) {
        case (.null, _), (_, .null): self
        case (.integer(let number), .real): .real(Double(number))
        case (.real, .integer): self
        case (.string(let text), .date): ISO8601Text.date(text).map(Node.Value.date)
        case (.string(let text), .data): Foundation.Data(base64Encoded: text).map(Node.Value.data)
        case (.date, .string), (.data, .string): self
        default: kind == other.kind ? self : nil
        }
    }
}
