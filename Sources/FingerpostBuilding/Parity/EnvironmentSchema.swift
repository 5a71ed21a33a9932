import FingerpostDocuments
package import FingerpostFiles

/// The keys of all environments in a folder, with their types and the environments that contain them.
///
/// Only committed files are read. Secrets files and environment variables are ignored, because build machines have
/// neither the developers' secrets files nor their variables.
package struct EnvironmentSchema: Sendable {
    /// One environment.
    package struct Target: Sendable {
        package let name: String
        /// The environment, merged from its committed files only.
        package let layers: LayeredEnvironment
        /// False if the environment may lack keys because a file is invalid. The value is stored, because the check of
        /// every key reads this property.
        let isComparable: Bool

        init(_ name: String, _ layers: LayeredEnvironment) {
            (self.name, self.layers, isComparable) = (name, layers, layers.isComparable)
        }
    }

    /// One key, at the top level or in a dictionary.
    struct Key: Sendable {
        let name: String
        /// The dotted path of the key.
        let path: String
        /// Each environment that contains the key, together with the key's setting. The order is the same as in
        /// ``targets``.
        let settings: [(target: Target, setting: Setting)]
        /// The environments that contain the key's parent dictionary but not the key itself.
        let missing: [Target]
        /// True if `$optional` lists the key in any environment.
        let isOptional: Bool
        /// True if `$secrets` lists the key in any environment.
        let isSecret: Bool
        /// The common type of all values of the key; nil if the values have no common type.
        let type: KeyType?
        /// The keys in the key's value, in alphabetical order, if the value is a dictionary.
        let keys: [Key]
        /// The first value that is a date or data; nil if there is none. If this value is a date, all texts of the key
        /// are read as dates. If this value is data, all texts of the key are read as data.
        fileprivate let encoded: Node.Value?

        /// True if environments may omit the key. If so, the key's accessor returns an optional, and a missing key is
        /// not reported.
        var mayBeMissing: Bool {
            isOptional || type == .dictionary && !keys.isEmpty && keys.allSatisfy(\.mayBeMissing)
        }

        /// The key's value in one environment. Text is converted to a date or to data if the key's value is a date or
        /// data in another environment.
        func value(of setting: Setting) -> Node.Value {
            Self.value(of: setting, like: encoded)
        }

        fileprivate static func value(of setting: Setting, like encoded: Node.Value?) -> Node.Value {
            guard case .string = setting.value, let encoded else { return setting.value }
            return setting.value.converted(toKindOf: encoded) ?? setting.value
        }
    }

    /// The environments, in the order of their file names.
    package let targets: [Target]
    /// The top-level keys, in alphabetical order.
    let keys: [Key]

    /// Reads all environments in a folder.
    package init(_ folder: EnvironmentFolder, parser: any StrictParsing.Type = strictParser) {
        let targets = folder.targets.map {
            Target($0, folder.load($0, readsSecrets: false, parser: parser))
        }
        self.targets = targets
        let optional = targets.reduce(into: Set<String>()) { $0.formUnion($1.layers.rules.optional) }
        let secrets = targets.reduce(into: Set<String>()) { $0.formUnion($1.layers.rules.secrets) }
        let rules = (optional: optional, secrets: secrets)
        keys = Self.keys(in: targets.map { ($0, $0.layers.root) }, below: "", rules)
    }

    private static func keys(
        in parents: [(target: Target, setting: Setting)], below path: String,
        _ rules: (optional: Set<String>, secrets: Set<String>)
    ) -> [Key] {
        let names = Set(parents.flatMap { $0.setting.keys }).sorted()
        return names.map { name in
            let path = path.isEmpty ? name : "\(path).\(name)"
            let settings = parents.compactMap { parent in parent.setting[name].map { (parent.target, $0) } }
            let encoded = settings.lazy.map { $0.1.value }.first(where: \.isEncoded)
            let type = type(of: settings.map { $0.1 }, like: encoded)
            return Key(
                name: name, path: path, settings: settings,
                missing: parents.filter { $0.setting[name] == nil }.map(\.target),
                isOptional: rules.optional.contains(path), isSecret: rules.secrets.contains(path), type: type,
                keys: type == .dictionary ? keys(in: settings.filter { $0.1.isDictionary }, below: path, rules) : [],
                encoded: encoded)
        }
    }

    private static func type(of settings: [Setting], like encoded: Node.Value?) -> KeyType? {
        var common: KeyType?
        for setting in settings {
            if case .null = setting.value { continue }
            let type = KeyType(Key.value(of: setting, like: encoded))
            guard let known = common else {
                common = type
                continue
            }
            guard let both = known.joined(with: type) else { return nil }
            common = both
        }
        return common ?? .text
    }

    /// False if a file could not be read, or if a reserved key that adds or removes other keys is invalid.
    var isComplete: Bool { targets.allSatisfy(\.isComparable) }

    /// Calls the body for every key, including keys in nested dictionaries. `partial` contains the keys of the same
    /// dictionary that some environments lack.
    func forEachKey(_ body: (_ key: Key, _ partial: [Key]) -> Void) {
        func visit(_ keys: [Key]) {
            let partial = keys.filter { !$0.missing.isEmpty }
            for key in keys {
                body(key, partial)
                visit(key.keys)
            }
        }
        visit(keys)
    }

    /// The number of keys. Keys whose values are dictionaries do not count.
    package var keyCount: Int {
        var count = 0
        forEachKey { key, _ in count += key.type == .dictionary ? 0 : 1 }
        return count
    }

    /// The access level of the generated code. Only `Base` can set this level, so the level is the same in all
    /// environments.
    var access: EnvironmentRules.Access { targets.first?.layers.access ?? .internal }

    /// The problems found while the layers of each environment were merged, without duplicates.
    var layerProblems: [FileProblem] {
        var seen: Set<String> = []
        return targets.flatMap(\.layers.problems).filter { seen.insert($0.description).inserted }
    }
}

extension LayeredEnvironment {
    /// The access level of the generated Swift code; nil when `Base` does not set `$access`.
    fileprivate var access: EnvironmentRules.Access? {
        self[EnvironmentRules.Key.access.rawValue]?.node.string.flatMap(EnvironmentRules.Access.init)
    }
}

extension Node.Value {
    /// True for a date and for data, because JSON represents dates and data as text.
    fileprivate var isEncoded: Bool {
        switch self {
        case .date, .data: true
        default: false
        }
    }
}

extension KeyType {
    /// The type's name in Swift; nil if an accessor cannot return the type.
    var swiftName: String? {
        switch self {
        case .boolean: "Bool"
        case .integer: "Int"
        case .longInteger: "Int64"
        case .real: "Double"
        case .text: "String"
        case .url: "URL"
        case .date: "Date"
        case .data: "Data"
        case .list(let element): element.map { $0.swiftName.map { "[\($0)]" } } ?? "[String]"
        case .dictionary, .mixed: nil
        }
    }
}
