import Foundation

/// An environment merged from its layers, and all problems found in these layers.
///
/// Dictionaries are merged; any other value in a higher layer replaces the value in a lower layer. A key keeps its type
/// from one layer to the next, except that integers and real numbers are interchangeable and that text can represent a
/// date (ISO 8601) or data (base64). `EnvironmentFolder.load` determines the order of the layers, which depends on
/// `$extends`, and `Setting.laid` merges two layers.
package struct LayeredEnvironment: Sendable {
    /// The environment's name: the part of its file name before `-Env`.
    package let name: String
    /// The merged values: a dictionary of all keys except those that start with `$`.
    package internal(set) var root: Setting
    /// The merged rules of the reserved keys.
    package private(set) var rules = EnvironmentRules()
    /// All problems found so far.
    package internal(set) var problems: [FileProblem] = []
    /// The files with their origins, lowest layer first.
    package private(set) var layers: [(document: Document, origin: Origin)] = []
    /// The `description` of the environment's own file, which is the highest layer that is not a secrets file.
    private(set) var ownDescription: String?
    /// The valid `$network` of the environment's own file.
    private(set) var ownNetwork: EnvironmentRules.Network?
    /// Describes where missing secrets are expected; nil if the environment is not loaded from a folder.
    var secretsHint: SecretsHint?
    /// The environment variables that are set but empty, by their keys.
    var emptyVariables: [String: String] = [:]
    /// True if the app has a `SecretSource`; nil for a tool, which cannot use the app's source.
    var asksForSecrets: Bool?
    /// True when one of the files could not be read. In that case, undeclared keys are not reported, because the
    /// unreadable file may declare them.
    package internal(set) var isIncomplete = false

    /// Reads and checks the files; nil in an app without the strict parser.
    let parser: (any StrictParsing.Type)?

    /// An environment without layers.
    init(name: String, parser: (any StrictParsing.Type)?) {
        self.name = name
        self.parser = parser
        root = Setting(Setting.Members(), .code)
    }

    /// Creates an environment with a single layer and checks its values.
    package init(
        _ document: Document, name: String, from origin: Origin = .elsewhere, parser: (any StrictParsing.Type)?
    ) {
        self.init(name: name, parser: parser)
        add(document, from: origin)
        declareSecrets()
        checkValues()
    }

    /// Adds a file as the highest layer.
    ///
    /// - Parameter origin: where the file comes from. The origin decides whether the file may contain secrets.
    mutating func add(_ document: Document, from origin: Origin = .repository) {
        problems += rules.read(document, isSecretsFile: origin == .secrets)
        layers.append((document, origin))
        document.root.forEachEntry {
            if let problem = FileProblem(ofKey: $0.key) { problems.append(document.problem(at: $0.keyOffset, problem)) }
        }
        // These values are stored, because searching the document for each checked key would take quadratic time.
        if origin != .secrets {
            ownDescription = document.root[Self.descriptionKey]?.string
            ownNetwork = document[.network].flatMap(Self.network)
            root = root.removing(Set(document[.unset]?.texts.map(\.text) ?? []))
        }
        let layer = Setting(document)
        root = layers.count == 1 ? layer : layer.laid(over: root, &problems)
        if parser == nil, origin == .secrets { hideValues(of: layer) }
    }

    /// Makes every value of a secrets file secret. The strict parser needs no such step, because it reports values that
    /// `$secrets` does not list.
    private mutating func hideValues(of layer: Setting) {
        layer.forEachPlace { place, setting in
            if place.path == Self.descriptionKey {
                problems.append(
                    setting.source.problem(
                        "a secrets file cannot set \"\(place.path)\", which messages show",
                        fix: "move it to a committed file"))
            } else {
                rules.hide(place.path)
            }
        }
    }

    /// Merges the layers again, lowest first.
    ///
    /// - Parameter body: is called for each layer. The argument `lower` is the environment merged from the layers
    ///   below.
    /// - Returns: the environment of all layers.
    package func merging(_ body: (Document, Origin, _ lower: LayeredEnvironment) -> Void) -> LayeredEnvironment {
        var merged = LayeredEnvironment(name: name, parser: nil)
        for (document, origin) in layers {
            // Some secrets have no value in a committed file, and only `$secrets` declares them.
            if origin == .secrets { merged.declareSecrets() }
            body(document, origin, merged)
            merged.add(document, from: origin)
        }
        merged.declareSecrets()
        return merged
    }

    package enum Origin: Sendable {
        /// A committed file, which must not contain secrets.
        case repository
        /// A secrets file, which must contain nothing but secrets.
        case secrets
        /// A file that is not known to be in a repository.
        case elsewhere
    }

    /// Overrides an existing key's value with a value that does not come from a file.
    @inline(never)
    mutating func replace(_ path: String, with node: Node, from source: ValueSource) {
        let new = Setting(node, source)
        root = root.changing(path[...], from: source) { old in
            old.map { new.laid(over: $0, at: Setting.Place(parent: "", key: path), &problems) } ?? new
        }
    }

    /// A copy of the environment with one value replaced in code. The copy's `problems` list only the problems of the
    /// new value.
    package func setting(_ path: String, to node: Node) -> LayeredEnvironment {
        var environment = self
        environment.problems = []
        guard root[path: path] != nil else {
            environment.problems.append(
                ValueSource.code.problem(
                    "the environment has no key \"\(path)\"" + NearestName.hint(path, in: settingPaths),
                    fix: "declare it in a file, or correct its name"))
            return environment
        }
        environment.replace(path, with: node, from: .code)
        if path == Self.descriptionKey { environment.checkDescription() }
        if let setting = environment.root[path: path] {
            environment.problems += environment.valueProblems(of: setting, at: path)
        }
        return environment
    }

    /// The files, lowest layer first.
    package var documents: [Document] { layers.map(\.document) }

    /// The committed files, lowest layer first.
    package var committedDocuments: [Document] { layers.filter { $0.origin == .repository }.map(\.document) }

    /// The origin of the file that contains a value; nil for a value that is not in a file.
    func origin(of source: ValueSource?) -> Origin? {
        layers.first { $0.document === source?.document }?.origin
    }

    /// The value of a reserved key.
    package subscript(key: EnvironmentRules.Key) -> Setting? { rules.values[key.rawValue] }

    /// The value at a dotted path, or the value of a reserved key.
    package subscript(path: String) -> Setting? { rules.values[path] ?? root[path: path] }

    /// The dotted paths of all keys whose values are not dictionaries.
    package var paths: [String] {
        var paths: [String] = []
        root.forEachPlace { place, _ in paths.append(place.path) }
        return paths
    }

    /// The dotted paths of all keys, including those whose values are dictionaries.
    package var settingPaths: Set<String> {
        paths.reduce(into: []) { paths, path in
            let parts = path.words(between: ".")
            for count in 1...max(1, parts.count) { paths.insert(parts.prefix(count).joined(separator: ".")) }
        }
    }
}

/// Decides whether calls are answered by mocks or by a server.
extension LayeredEnvironment {
    /// The key whose value describes an environment. The value ``sealedDescription`` seals the environment.
    package static let descriptionKey = "description"

    /// The start of a placeholder, such as `{env.tenant}`, in a path or in a mock's headers. Mocks have no other
    /// placeholder in braces.
    package static let keyStart = "{env."

    /// The value of the key `description`, or the environment's name when the key is not set.
    package var description: String { root[Self.descriptionKey]?.node.string ?? name }

    /// The description that seals an environment unless its own file sets `$network`.
    package static let sealedDescription = "Testing"

    /// True for the testing environment, whose description, own or inherited, is `Testing`. If the environment's own
    /// file has no description, the name `Testing` is enough. Other layers cannot override the description `Testing` in
    /// the environment's own file.
    package var isTesting: Bool {
        (ownDescription ?? name) == Self.sealedDescription || description == Self.sealedDescription
    }

    /// The value of `$network`, which decides how calls are answered. Without this key, calls are `sealed` for the
    /// testing environment and `live` for any other environment.
    ///
    /// The testing environment is sealed unless `$network` in its own file says otherwise. No other layer can unseal
    /// the environment, so that a shared file cannot make a test send calls.
    package var network: EnvironmentRules.Network {
        ownNetwork ?? (isTesting ? .sealed : self[.network].flatMap { Self.network($0.node) } ?? .live)
    }

    static func network(_ node: Node) -> EnvironmentRules.Network? {
        node.string.flatMap(EnvironmentRules.Network.init)
    }

    /// True when `$network` seals the environment, instead of its description alone.
    package var isSealedByNetwork: Bool { self[.network].flatMap { Self.network($0.node) } == .sealed && isSealed }

    /// True if an installed app may switch to another environment. Only a committed file, which everybody can review,
    /// can allow this.
    package var isSwitchable: Bool {
        guard let setting = self[.switchable], case .boolean(true) = setting.value else { return false }
        return isCommitted(setting)
    }

    /// True for a value from a committed file.
    package func isCommitted(_ setting: Setting) -> Bool { origin(of: setting.source) == .repository }

    /// True when only mocks answer calls. A sealed environment needs no secrets.
    package var isSealed: Bool { network == .sealed }
}

extension LayeredEnvironment {
    /// True for a value that messages must not show: a value that `$secrets` lists, a value inside such a value, and
    /// every value from a secrets file.
    package func isSecret(_ path: String) -> Bool {
        rules.secrets.covers(path) || origin(of: root[path: path]?.source) == .secrets
    }

    /// Returns the text that replaces a missing secret of a sealed environment, or nil for any other key. A sealed
    /// environment may omit its secrets, because mocks need no credentials.
    package func standIn(for key: String) -> String? {
        rules.secrets.contains(key) && isSealed && !rules.optional.contains(key) ? "<secret \(key)>" : nil
    }

    /// Returns the keys that the files list under a reserved key.
    package func names(in key: EnvironmentRules.Key) -> [(path: String, document: Document, offset: Int?)] {
        documents.flatMap { document in
            (document[key]?.elements ?? []).compactMap { name in name.string.map { ($0, document, name.offset) } }
        }
    }

    /// Adds the keys of `$secrets` that no file contains. These keys get the value null. An empty text also becomes
    /// null, because a property list cannot contain null. A name that is probably misspelled is not added, because the
    /// strict parser reports it.
    mutating func declareSecrets() {
        let names = names(in: .secrets).filter { path, _, _ in
            // Most keys have a value.
            switch root[path: path]?.value {
            case .string("")?: path != Self.descriptionKey
            case nil:
                path != Self.descriptionKey && !path.hasPrefix("$") && !path.parts(between: ".").contains("")
                    && !rules.unset.covers(path)
            default: false
            }
        }
        let typos = parser?.typos(in: names.map(\.path), of: self) ?? []
        for (path, document, offset) in names where !typos.contains(path) {
            let source = ValueSource.file(document, offset: offset)
            root = root.changing(path[...], from: source) { old in
                guard let old else { return Setting(.null, source) }
                // Another entry of `$secrets` may have declared a key inside this dictionary.
                return old.isDictionary ? old : Setting(.null, old.source)
            }
        }
    }

    /// All secret values as text, so that they can be redacted from logs and messages. The passwords in URLs are secret
    /// too.
    package var secretTexts: [(key: String, text: String)] {
        var texts: [(key: String, text: String)] = []
        root.forEachLeaf { path, setting in
            let path = path()
            let found = isSecret(path) ? setting.node.secretTexts : setting.node.passwords
            texts += found.filter { !$0.isEmpty }.map { (path, $0) }
        }
        return texts.ordered { $0.key < $1.key }
    }
}

extension Node {
    /// The password in the user information of a URL: first verbatim, then without its escapes.
    fileprivate var passwords: [String] {
        guard let text = string, let range = URLText.userInfo(of: text) else { return [] }
        let password = text[range].cut(at: ":")?.after ?? ""
        return [String(password), password.removingPercentEncoding ?? ""]
    }

    /// The texts of this value and of all values inside it.
    fileprivate var secretTexts: [String] {
        var texts: [String] = []
        visit { node in
            switch node.value {
            case .null, .boolean, .array, .dictionary: break
            case .integer, .real, .string: texts += [node.value.scalarText].compactMap { $0 }
            case .date(let date): texts.append(ISO8601Text.text(of: date))
            case .data(let data):
                texts.append(data.base64EncodedString())
                if let text = String(bytes: data, encoding: .utf8) { texts.append(text) }
            }
        }
        return texts
    }
}

extension LayeredEnvironment {
    /// Asks the app's `SecretSource` for the secrets that have no value in a file or an environment variable. A sealed
    /// environment needs no secrets.
    ///
    /// - Parameter ask: returns the value of a secret; nil if the app has no `SecretSource`.
    mutating func askForSecrets(_ ask: ((_ key: String) throws -> String?)?) {
        asksForSecrets = ask != nil
        guard let ask, !isSealed else { return }
        for path in rules.secrets.inOrder {
            guard let declared = root[path: path], declared.isNull else { continue }
            do {
                guard let text = try ask(path) else { continue }
                if text.isEmpty { throw FileProblem("it is empty", fix: "return nil for a secret without a value") }
                let value = try EnvironmentVariables.value(text, like: declared.typical, parser: parser)
                replace(path, with: Node(value), from: .secretSource)
            } catch {
                let problem = error as? FileProblem
                let reason =
                    problem.map { "cannot be used: \($0.message)" }
                    ?? "could not be read: \((error as? any LocalizedError)?.errorDescription ?? "\(error)")"
                problems.append(
                    ValueSource.secretSource.problem("the secret \"\(path)\" \(reason)", fix: problem?.fix)
                        .ofValue(at: path))
            }
        }
    }
}
