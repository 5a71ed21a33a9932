import FingerpostDocuments
package import FingerpostFiles

/// Compares the environments in a folder: each should have the keys of the others, with values of the same types, and
/// a sealed one should name no server of the others.
package struct EnvironmentParity: Sendable {
    /// The keys of the compared environments.
    package let schema: EnvironmentSchema
    /// All problems without duplicates: problems in the layers of each environment, and differences between
    /// environments, in the order of the keys.
    package let problems: [FileProblem]

    /// Compares the environments in a schema.
    package init(_ schema: EnvironmentSchema) {
        self.schema = schema
        var problems = schema.layerProblems
        let isComplete = schema.isComplete
        schema.forEachKey { key, partial in
            let unlike = Self.unlike(key)
            // A file that cannot be read may contain or list the key, so missing keys are reported only when all files
            // have been read.
            problems += unlike.isEmpty && isComplete ? Self.missing(key, partial) : unlike
            problems += Self.servers(key)
        }
        self.problems = problems
    }

    // MARK: Keys

    /// Reports a key where it is missing. A key that only one of several environments has is reported there.
    ///
    /// - Parameter partial: the keys beside it that are missing in some environment, among which a misspelled one is.
    private static func missing(_ key: EnvironmentSchema.Key, _ partial: [EnvironmentSchema.Key]) -> [FileProblem] {
        guard !key.mayBeMissing, let only = key.settings.first else { return [] }
        let having = key.settings.map(\.target.name)
        let fix = "give Base a value, or list it in \"$optional\""
        if having.count == 1, key.missing.count > 1 {
            return [
                only.setting.source.problem("\"\(key.path)\" is only in \(having[0])", fix: "remove it, \(fix)")
                    .of(.missing, key: key.path)
            ]
        }
        return key.missing.map { target in
            // Hundreds of keys that differ are no typos.
            let own = partial.prefix(mostTypos).filter { $0.settings.contains { $0.target.name == target.name } }
            let near = partial.count > mostTypos ? nil : NearestName.find(key.path, in: own.map(\.path))
            return target.layers.root(for: key.path).problem(
                "\"\(key.path)\" is missing in \(target.name); \(list(having)) "
                    + (having.count == 1 ? "has it" : "have it") + NearestName.hint(near),
                fix: "add it, \(fix)"
            ).of(.missing, key: key.path)
        }
    }

    private static let mostTypos = 200

    /// The names of environments for a message, which is repeated for many others and so names only some of them.
    private static func list(_ names: [String]) -> String {
        let most = 10
        let shown = names.count > most ? names.prefix(most) + ["\(names.count - most) more"] : names[...]
        return [shown.dropLast().joined(separator: ", "), shown.last ?? ""].filter { !$0.isEmpty }
            .joined(separator: " and ")
    }

    /// Reports values of another type than those of the environments before, and text that is a URL in another
    /// environment. A base URL is checked in every environment, even if it is the only one.
    private static func unlike(_ key: EnvironmentSchema.Key) -> [FileProblem] {
        let typed = key.comparable.filter { !$0.setting.isNull }.map {
            (target: $0.target, setting: $0.setting, type: KeyType(key.value(of: $0.setting)))
        }
        guard var common = typed.first?.type else { return [] }
        let url = key.isSecret || BaseURLKey.isNamed(key.path) ? nil : typed.first { $0.type.isURL }
        return typed.compactMap { item in
            let problem: (message: String, fix: String)
            if let both = common.joined(with: item.type) {
                common = both
                guard let url, item.type.isText else { return nil }
                let texts = (item.setting.node.elements ?? [item.setting.node]).compactMap(\.string)
                let damage = texts.lazy.compactMap { URLCheck.damage(to: $0, isURL: true) { nil } }.first
                problem = (
                    damage?.message
                        ?? "is \(url.type == .url ? "a URL" : "a list of URLs") in \(url.target.name), "
                        + "but has no scheme in \(item.target.name)",
                    damage?.fix ?? "start \(url.type == .url ? "it" : "each element") with https:// or http://"
                )
            } else {
                let other = typed.first { $0.type.joined(with: item.type) == nil }?.target.name ?? "others"
                problem = (
                    "is \(item.setting.value.kind) in \(item.target.name) and \(common.demand) in \(other)",
                    "give it the same type in every environment"
                )
            }
            return item.setting.source.problem("\"\(key.path)\" \(problem.message)", fix: problem.fix)
                .of(.type, key: key.path)
        }
    }

    // MARK: Servers

    /// Reports sealed environments that contain the URL of a server that a live environment uses.
    private static func servers(_ key: EnvironmentSchema.Key) -> [FileProblem] {
        guard !key.isSecret else { return [] }
        let environments = key.comparable
        // The first live environment of each server. Most keys have no sealed URL, so that it is rarely needed.
        lazy var live = Dictionary(
            environments.filter { !$0.target.layers.isSealed }.compactMap { item in
                item.setting.node.string.flatMap(URLText.authority).map { ($0, item) }
            }
        ) { first, _ in first }
        return environments.filter { $0.target.layers.isSealed }.compactMap { sealed in
            guard case .string(let text) = sealed.setting.value, let server = URLText.authority(of: text),
                !URLText.staysHere(text), let live = live[server]
            else { return nil }
            // Base URLs decide where calls go. Other URLs may be links that the app only displays: one that the
            // environment inherits is written once for all, on purpose.
            let isBase = BaseURLKey.isNamed(key.path)
            guard isBase || sealed.target.layers.isOwn(sealed.setting) else { return nil }
            let name = sealed.target.name
            return sealed.setting.source.problem(
                "\"\(key.path)\": \(name) uses the server of \(live.target.name) (\(server))",
                fix: "give \(name) a host that ends in .invalid, which nothing can reach"
            ).with(isBase ? .error : .warning).of(.production, key: key.path)
        }
    }
}

extension EnvironmentSchema.Key {
    /// The settings in the environments whose files could all be read.
    fileprivate var comparable: [(target: EnvironmentSchema.Target, setting: Setting)] {
        settings.filter(\.target.isComparable)
    }
}

extension KeyType {
    fileprivate var isURL: Bool { self == .url || self == .list(.url) }
    fileprivate var isText: Bool { self == .text || self == .list(.text) }
}

extension LayeredEnvironment {
    /// The place where a missing key should be added. If the environment contains the key's parent dictionary, the
    /// place is this dictionary; otherwise it is the top level of the environment's own file.
    fileprivate func root(for path: String) -> ValueSource {
        let parent = path.split(separator: ".").dropLast().joined(separator: ".")
        if !parent.isEmpty, let setting = root[path: parent] { return setting.source }
        return documents.last.map { .file($0, offset: $0.root.offset) } ?? root.source
    }
}

/// The kinds of differences between environments.
extension FileProblem.Kind {
    /// Some environments lack the key.
    static let missing = Self(rawValue: "missing")
    /// The values have different types.
    static let type = Self(rawValue: "type")
    /// A sealed environment contains the URL of a server that a live environment uses.
    static let production = Self(rawValue: "production")
}
