import FingerpostDocuments
package import FingerpostFiles

/// Compares the environments in a folder. All environments should have the same keys with the same types.
package struct EnvironmentParity: Sendable {
    /// The keys of the compared environments.
    package let schema: EnvironmentSchema
    /// All problems without duplicates: problems in the layers of each environment, and differences between
    /// environments that are probably mistakes, in the order of the keys.
    package let problems: [FileProblem]

    /// Compares the environments in a schema.
    package init(_ schema: EnvironmentSchema) {
        self.schema = schema
        var problems = schema.layerProblems
        let isComplete = schema.isComplete
        schema.forEachKey { key, partial in
            // Keys that differ in this number are not typos.
            let candidates = partial.count > Self.mostTypos ? [] : partial
            // A file that cannot be read may contain or list the key, so missing keys are reported only when all files
            // have been read.
            problems +=
                Self.unlikeTypes(key) ?? Self.plainText(key) ?? (isComplete ? Self.missing(key, candidates) : [])
            problems += Self.servers(key)
        }
        self.problems = problems
    }

    // MARK: Keys

    private static let mostTypos = 200

    /// Reports a key where it is missing, or where it is if only one environment has it. Of two spellings of a key,
    /// only the rarer one is reported.
    ///
    /// - Parameter candidates: the keys that a misspelled key may have been meant to be.
    private static func missing(
        _ key: EnvironmentSchema.Key, _ candidates: [EnvironmentSchema.Key]
    ) -> [FileProblem] {
        guard !key.missing.isEmpty, !key.mayBeMissing, let only = key.settings.first else { return [] }
        let having = key.settings.map(\.target.name)
        let twin = key.twin(in: candidates)
        if let twin, (having.count, twin.path) < (twin.settings.count, key.path) {
            return key.settings.map { item in
                item.setting.source.problem(
                    "\"\(key.path)\" is only in \(list(having)); \(has(twin, "\"\(twin.path)\""))",
                    fix: "rename it to \"\(twin.path)\", or list both in \"$optional\""
                ).of(.missing, key: key.path)
            }
        }
        let fix = "give Base a value, or list it in \"$optional\""
        if having.count == 1, key.missing.count > 1 {
            return [
                only.setting.source.problem("\"\(key.path)\" is only in \(having[0])", fix: "remove it, \(fix)")
                    .of(.single, key: key.path)
            ]
        }
        let renamed = Set(twin?.settings.map(\.target.name) ?? [])
        return key.missing.filter { !renamed.contains($0.name) }.map { target in
            target.layers.root(for: key.path).problem(
                "\"\(key.path)\" is missing in \(target.name); \(has(key, "it"))", fix: "add it, \(fix)"
            ).of(.missing, key: key.path)
        }
    }

    /// Says which environments have a key.
    private static func has(_ key: EnvironmentSchema.Key, _ object: String) -> String {
        "\(list(key.settings.map(\.target.name))) \(key.settings.count == 1 ? "has" : "have") \(object)"
    }

    /// The names of environments for a message, which is repeated for many others and so names only some of them.
    private static func list(_ names: [String]) -> String {
        let most = 10
        let shown = names.count > most ? names.prefix(most) + ["\(names.count - most) more"] : names[...]
        return [shown.dropLast().joined(separator: ", "), shown.last ?? ""].filter { !$0.isEmpty }
            .joined(separator: " and ")
    }

    /// Reports text that is a URL in another environment, and lists of text that are lists of URLs there.
    private static func plainText(_ key: EnvironmentSchema.Key) -> [FileProblem]? {
        // A base URL is checked in every environment, even if it is the only one.
        let isList = key.type == .list(.text)
        let (textType, urlType): (KeyType, KeyType) = isList ? (.list(.text), .list(.url)) : (.text, .url)
        guard key.type == textType, !key.isSecret, !BaseURLKey.isNamed(key.path),
            let url = key.comparable.first(where: { KeyType($0.setting.value) == urlType })
        else { return nil }
        let texts = key.comparable.filter { !$0.setting.isNull && KeyType($0.setting.value) == textType }
        return texts.isEmpty
            ? nil
            : texts.map { item in
                let texts = (item.setting.node.elements ?? [item.setting.node]).compactMap(\.string)
                let damage = texts.lazy.compactMap { URLCheck.damage(to: $0, isURL: true) { nil } }.first
                let difference =
                    isList
                    ? "is a list of URLs in \(url.target.name), but not in \(item.target.name)"
                    : "is a URL in \(url.target.name), but has no scheme in \(item.target.name)"
                return item.setting.source.problem(
                    "\"\(key.path)\" \(damage?.message ?? difference)",
                    fix: damage?.fix ?? "start \(isList ? "each element" : "it") with https:// or http://"
                ).of(.type, key: key.path)
            }
    }

    private static func unlikeTypes(_ key: EnvironmentSchema.Key) -> [FileProblem]? {
        guard key.type == nil else { return nil }
        let typed = key.comparable.filter { !$0.setting.isNull }.map {
            (target: $0.target, setting: $0.setting, type: KeyType(key.value(of: $0.setting)))
        }
        // The most frequent type is assumed to be correct. If several types are equally frequent, the first of these
        // types is assumed to be correct.
        let counts = Dictionary(typed.map { ($0.type, 1) }, uniquingKeysWith: +)
        let votes = typed.map { candidate in
            counts.reduce(0) { $0 + ($1.key.joined(with: candidate.type) == nil ? 0 : $1.value) }
        }
        guard let most = votes.max(), let winner = votes.firstIndex(of: most).map({ typed[$0].type }) else {
            return nil
        }
        let unlike = typed.filter { $0.type.joined(with: winner) == nil }
        guard !unlike.isEmpty else { return nil }
        let others = typed.first { $0.type == winner }?.target.name ?? "others"
        return unlike.map { item in
            item.setting.source.problem(
                "\"\(key.path)\" is \(item.setting.value.kind) in \(item.target.name) "
                    + "and \(winner.demand) in \(others)",
                fix: "give it the same type in every environment"
            ).of(.type, key: key.path)
        }
    }

    // MARK: Servers

    /// Reports sealed environments that contain URLs of real servers.
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
                !URLText.staysHere(text)
            else { return nil }
            // Base URLs decide where calls go. Other URLs may be links that the app only displays: one that the
            // environment inherits is written once for all, on purpose.
            let isBase = key.name.lowercased().contains("base")
            guard isBase || sealed.target.layers.isOwn(sealed.setting) else { return nil }
            guard let live = live[server] else { return reachable(key, sealed, text) }
            let name = sealed.target.name
            let isEqual = live.setting.node.string == text
            let shown = isEqual ? URLText.hidingUserInfo(text) : server
            let what =
                isEqual ? "\(name) equals \(live.target.name)" : "\(name) uses the server of \(live.target.name)"
            return sealed.setting.source.problem(
                "\"\(key.path)\": \(what) (\(shown)): a test environment points at production",
                fix: "give \(name) a host that ends in .invalid, which nothing can reach"
            ).with(isBase ? .error : .warning).of(.production, key: key.path)
        }
    }

    private static func reachable(
        _ key: EnvironmentSchema.Key, _ sealed: (target: EnvironmentSchema.Target, setting: Setting), _ text: String
    ) -> FileProblem {
        sealed.setting.source.problem(
            "\"\(key.path)\" in the sealed environment \(sealed.target.name) "
                + "points at a server that may exist: \(URLText.hidingUserInfo(text))",
            fix: "give it a host that ends in .invalid, which nothing can reach"
        ).with(.warning).of(.reachable, key: key.path)
    }
}

extension EnvironmentSchema.Key {
    /// The settings in the environments whose files could all be read.
    fileprivate var comparable: [(target: EnvironmentSchema.Target, setting: Setting)] {
        settings.filter(\.target.isComparable)
    }

    /// The key that is probably this one in another spelling: no environment has both.
    fileprivate func twin(in candidates: [Self]) -> Self? {
        nearest(in: candidates).flatMap { $0.nearest(in: candidates)?.path == path ? $0 : nil }
    }

    private func nearest(in candidates: [Self]) -> Self? {
        let names = Set(settings.map(\.target.name))
        let apart = candidates.filter { other in !other.settings.contains { names.contains($0.target.name) } }
        let near = NearestName.find(path, in: apart.map(\.path))
        return apart.first { $0.path == near }
    }
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
    /// Only one of several environments contains the key.
    static let single = Self(rawValue: "single")
    /// The values have different types.
    static let type = Self(rawValue: "type")
    /// A sealed environment contains the URL of a server that a live environment uses.
    static let production = Self(rawValue: "production")
    /// A sealed environment contains the URL of a server that may exist.
    static let reachable = Self(rawValue: "reachable")
}
