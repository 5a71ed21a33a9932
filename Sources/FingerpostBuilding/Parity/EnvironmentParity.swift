package import FingerpostFiles

/// Compares the environments in a folder. All environments should have the same keys with the same types.
package struct EnvironmentParity: Sendable {
    /// The keys of the compared environments.
    package let schema: EnvironmentSchema
    /// The differences between the environments that are probably mistakes, in the order of the keys.
    package let differences: [Difference]

    /// A row of the table, and what it reports.
    package struct Difference: Sendable {
        /// The dotted path of the key that differs.
        package let key: String
        /// The state of the key in each environment, such as `Staging -missing-`.
        package let states: [String]
        /// The text in the last column of the table. This text explains how to fix the difference or why the difference
        /// is reported.
        package let note: String
        /// One problem for each place that has to be fixed.
        let problems: [FileProblem]

        init(_ kind: FileProblem.Kind, key: String, states: [String], note: String, problems: [FileProblem]) {
            self.key = key
            self.states = states
            self.note = note
            self.problems = problems.map { $0.of(kind, key: key) }
        }
    }

    /// Compares the environments in a schema.
    package init(_ schema: EnvironmentSchema) {
        self.schema = schema
        var differences: [Difference] = []
        let isComplete = schema.isComplete
        let hints = NameHints()
        schema.forEachKey { key, partial in
            // Keys that differ in this number are not typos.
            let candidates = partial.count > Self.mostTypos ? [] : partial
            // A file that cannot be read may contain or list the key, so missing keys are reported only when all files
            // have been read.
            let difference =
                Self.unlikeTypes(key) ?? Self.plainText(key)
                ?? (isComplete ? Self.missing(key, candidates, hints) : nil)
            differences += [difference].compactMap { $0 } + Self.servers(key)
        }
        self.differences = differences
    }

    /// All problems without duplicates: problems in the layers of each environment, and differences between
    /// environments.
    package var problems: [FileProblem] {
        schema.layerProblems + differences.flatMap(\.problems)
    }

    // MARK: Keys

    private static let mostTypos = 200

    /// - Parameter candidates: the keys that a misspelled key may have been meant to be.
    private static func missing(
        _ key: EnvironmentSchema.Key, _ candidates: [EnvironmentSchema.Key], _ hints: NameHints
    ) -> Difference? {
        guard !key.missing.isEmpty, !key.mayBeMissing, let only = key.settings.first else { return nil }
        let having = key.settings.map(\.target.name)
        let hasIt = Self.list(having) + (having.count == 1 ? " has it" : " have it")
        if having.count == 1, key.missing.count > 1 {
            let note = "remove it, give Base a value, or list it in \"$optional\""
            return Difference(
                .single, key: key.path, states: ["only in \(only.target.name)"], note: note,
                problems: [
                    only.setting.source.problem(
                        "\"\(key.path)\" is only in the environment \(only.target.name)"
                            + hints.hint(key.path, in: candidates.filter { $0.isDisjoint(from: key) }.map(\.path)),
                        fix: note)
                ])
        }
        let note = "add it, give Base a value, or list it in \"$optional\""
        return Difference(
            .missing, key: key.path, states: states(of: key), note: note,
            problems: key.missing.map { target in
                let near = hints.look {
                    let others = candidates.filter { other in
                        other.isDisjoint(from: key) && other.settings.contains { $0.target.name == target.name }
                    }
                    return NearestName.find(key.path, in: others.map(\.path))
                }
                return target.layers.root(for: key.path).problem(
                    "\"\(key.path)\" is missing in \(target.name); \(hasIt)",
                    fix: ((near ?? nil).map { "rename \"\($0)\" to \"\(key.path)\", " } ?? "") + note)
            })
    }

    /// The names of environments for a message, which is repeated for many others and so names only some of them.
    private static func list(_ names: [String]) -> String {
        let most = 10
        return names.prefix(most).joined(separator: ", ")
            + (names.count > most ? " and \(names.count - most) more" : "")
    }

    /// Reports text that is a URL in another environment, and lists of text that are lists of URLs there.
    private static func plainText(_ key: EnvironmentSchema.Key) -> Difference? {
        // A base URL is checked in every environment, even if it is the only one.
        let isList = key.type == .list(.text)
        let (textType, urlType): (KeyType, KeyType) = isList ? (.list(.text), .list(.url)) : (.text, .url)
        guard key.type == textType, !key.isSecret, !BaseURLKey.isNamed(key.path),
            let url = key.comparable.first(where: { KeyType($0.setting.value) == urlType })
        else { return nil }
        let texts = key.comparable.filter { !$0.setting.isNull && KeyType($0.setting.value) == textType }
        guard !texts.isEmpty else { return nil }
        return Difference(
            .type, key: key.path, states: states(of: key, showing: Set(texts.map(\.target.name))),
            note: texts.map { "\($0.setting.source) must be \(isList ? "a list of URLs" : KeyType.url.demand)" }
                .joined(separator: "; "),
            problems: texts.map { item in
                item.setting.source.problem(
                    isList
                        ? "\"\(key.path)\" is a list of URLs in \(url.target.name), but not in \(item.target.name)"
                        : "\"\(key.path)\" is a URL in \(url.target.name), but has no scheme in \(item.target.name)",
                    fix: "start \(isList ? "each element" : "it") with https:// or http://")
            })
    }

    private static func unlikeTypes(_ key: EnvironmentSchema.Key) -> Difference? {
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
        return Difference(
            .type, key: key.path, states: states(of: key, showing: Set(unlike.map(\.target.name))),
            note: unlike.map { "\($0.setting.source) must be \(winner.demand)" }.joined(separator: "; "),
            problems: unlike.map { item in
                item.setting.source.problem(
                    "\"\(key.path)\" is \(item.setting.value.kind) in \(item.target.name) "
                        + "and \(winner.demand) in \(others)",
                    fix: "give it the same type in every environment")
            })
    }

    /// The state of a key in each environment, sorted by environment: its type, `null`, `secret` or `-missing-`.
    ///
    /// - Parameter showing: the names of the environments whose values are shown in addition to their types.
    private static func states(of key: EnvironmentSchema.Key, showing: Set<String> = []) -> [String] {
        let having = key.settings.map { item in
            let type = key.isSecret ? "secret" : item.setting.isNull ? "null" : KeyType(item.setting.value).shown
            let isShown = showing.contains(item.target.name) && !item.setting.isDictionary && !key.isSecret
            let value = item.target.layers.shown(item.setting.value, at: key.path)
            let quoted = if case .string = item.setting.value { "\"\(value)\"" } else { value }
            return (item.target.name, "\(item.target.name) \(type)" + (isShown ? " \(quoted)" : ""))
        }
        let lacking = key.missing.map { ($0.name, "\($0.name) -missing-") }
        return (having + lacking).sorted { $0.0 < $1.0 }.map { $0.1 }
    }

    // MARK: Servers

    /// Reports sealed environments that contain URLs of real servers.
    private static func servers(_ key: EnvironmentSchema.Key) -> [Difference] {
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
            let note = "a test environment points at production"
            let problem = sealed.setting.source.problem(
                "\"\(key.path)\": \(what) (\(shown)): \(note)",
                fix: "give \(name) a host that ends in .invalid, which nothing can reach")
            return Difference(
                .production, key: key.path, states: ["\(what) (\(shown))"], note: note,
                problems: [problem.with(isBase ? .error : .warning)])
        }
    }

    private static func reachable(
        _ key: EnvironmentSchema.Key, _ sealed: (target: EnvironmentSchema.Target, setting: Setting), _ text: String
    ) -> Difference {
        let note = "a host that ends in .invalid cannot be reached by accident"
        let text = URLText.hidingUserInfo(text)
        let problem = sealed.setting.source.problem(
            "\"\(key.path)\" in the sealed environment \(sealed.target.name) "
                + "points at a server that may exist: \(text)",
            fix: "give it a host that ends in .invalid")
        return Difference(
            .reachable, key: key.path, states: ["\(sealed.target.name) is sealed (\(text))"], note: note,
            problems: [problem.with(.warning)])
    }
}

extension EnvironmentSchema.Key {
    /// The settings in the environments whose files could all be read.
    fileprivate var comparable: [(target: EnvironmentSchema.Target, setting: Setting)] {
        settings.filter(\.target.isComparable)
    }

    /// True if no environment has both keys, as when one of them is misspelled.
    fileprivate func isDisjoint(from other: EnvironmentSchema.Key) -> Bool {
        let names = Set(settings.map(\.target.name))
        return !other.settings.contains { names.contains($0.target.name) }
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
