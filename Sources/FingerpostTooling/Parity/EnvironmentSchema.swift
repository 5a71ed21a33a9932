package import FingerpostFiles

/// The keys of all environments of a folder: what each is, and which environments have it. Values play no part.
///
/// Only the files count: neither files of secrets nor process variables, which a build machine does not have.
package struct EnvironmentSchema: Sendable {
    /// One environment.
    package struct Target: Sendable {
        package let name: String
        package let layers: LayeredEnvironment
    }

    /// One key, at the top or in a dictionary.
    package struct Key: Sendable {
        package let name: String
        /// The dotted path.
        package let path: String
        /// The environments that have it, with what they have, in the order of the targets.
        package let settings: [(target: Target, setting: Setting)]
        /// The environments that do not, though they have the dictionary it is in.
        package let missing: [Target]
        /// True when `$optional` lists it.
        package let isOptional: Bool
        /// True when `$secrets` lists it.
        package let isSecret: Bool
        /// What its values are; nil when they have no type in common.
        package let type: KeyType?
        /// The keys of a dictionary, in alphabetical order.
        package let keys: [Key]

        /// True when code must be ready for an environment without it, which is nothing to complain about.
        package var mayBeMissing: Bool {
            isOptional || type == .dictionary && !keys.isEmpty && keys.allSatisfy(\.mayBeMissing)
        }

        /// Its value in one environment, read as the type that the others have: as a date where theirs are dates.
        func value(of setting: Setting) -> Node.Value {
            Self.value(of: setting, among: settings.map(\.setting))
        }

        fileprivate static func value(of setting: Setting, among settings: [Setting]) -> Node.Value {
            guard case .string = setting.value else { return setting.value }
            for other in settings {
                switch other.value {
                case .date, .data: return setting.value.converted(toKindOf: other.value) ?? setting.value
                default: continue
                }
            }
            return setting.value
        }
    }

    package let targets: [Target]
    /// The keys at the top, in alphabetical order.
    package let keys: [Key]

    package init(_ folder: EnvironmentFolder) {
        let loader = EnvironmentLoader(folder, variables: nil)
        let targets = folder.targets.map { Target(name: $0, layers: loader.load($0, readsSecrets: false)) }
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
        let names = Set(parents.flatMap { $0.setting.members.map(\.key) }).sorted()
        return names.map { name in
            let path = path.isEmpty ? name : "\(path).\(name)"
            let settings = parents.compactMap { parent in parent.setting[name].map { (parent.target, $0) } }
            let type = type(of: settings.map { $0.1 })
            return Key(
                name: name, path: path, settings: settings,
                missing: parents.filter { $0.setting[name] == nil }.map(\.target),
                isOptional: rules.optional.contains(path), isSecret: rules.secrets.contains(path), type: type,
                keys: type == .dictionary ? keys(in: settings.filter { $0.1.isDictionary }, below: path, rules) : [])
        }
    }

    private static func type(of settings: [Setting]) -> KeyType? {
        var common: KeyType?
        for setting in settings {
            if case .null = setting.value { continue }
            let type = KeyType(Key.value(of: setting, among: settings))
            guard let known = common else {
                common = type
                continue
            }
            guard let both = known.joined(with: type) else { return nil }
            common = both
        }
        return common ?? .text
    }

    /// Calls the body with every key, those of dictionaries included.
    package func forEachKey(_ body: (Key) -> Void) {
        func visit(_ keys: [Key]) {
            for key in keys {
                body(key)
                visit(key.keys)
            }
        }
        visit(keys)
    }

    /// What is wrong with the layers of any environment, each thing once.
    package var layerProblems: [FileProblem] {
        var seen: Set<FileProblem> = []
        return targets.flatMap(\.layers.problems).filter { seen.insert($0).inserted }
    }
}
