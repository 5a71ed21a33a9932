import FingerpostDocuments
package import FingerpostFiles
import Foundation

/// Compares the environments in a folder. All environments should have the same keys with values of the same types. A
/// sealed environment should not contain the URL of a live environment's server.
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
            // Missing keys are reported only if all files could be read. An unreadable file may contain the key, or
            // list the key in a reserved key such as `$optional`.
            problems += unlike.isEmpty && isComplete ? Self.missing(key, partial) : unlike
            problems += Self.servers(key)
        }
        self.problems = problems
    }

    // MARK: Keys

    /// Reports a missing key in each environment that lacks the key. If only one of several environments has the key,
    /// reports the key in this environment instead.
    ///
    /// - Parameter partial: the keys in the same dictionary that some environments lack. One of these may be a
    ///   misspelling of the key.
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
            // If hundreds of keys differ, the keys are not misspelled.
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

    /// Lists the names of environments for a message, and shortens a long list.
    private static func list(_ names: [String]) -> String {
        let most = 10
        let shown = names.count > most ? names.prefix(most) + ["\(names.count - most) more"] : names[...]
        return [shown.dropLast().joined(separator: ", "), shown.last ?? ""].filter { !$0.isEmpty }
            .joined(separator: " and ")
    }

    /// Reports values whose type differs from the type in earlier environments.
    private static func unlike(_ key: EnvironmentSchema.Key) -> [FileProblem] {
        let typed = key.comparable.filter { !$0.setting.value.isNull }.map {
            (target: $0.target, setting: $0.setting, type: KeyType(key.value(of: $0.setting)))
        }
        guard var common = typed.first?.type else { return [] }
        return typed.compactMap { item in
            if let both = common.joined(with: item.type) {
                common = both
                return nil
            }
            let other = typed.first { $0.type.joined(with: item.type) == nil }?.target.name ?? "others"
            return item.setting.source.problem(
                "\"\(key.path)\" is \(item.setting.value.kind) in \(item.target.name) and \(common.demand) in \(other)",
                fix: "give it the same type in every environment"
            ).of(.type, key: key.path)
        }
    }

    // MARK: Servers

    /// Reports sealed environments that contain the URL of a server that a live environment uses.
    private static func servers(_ key: EnvironmentSchema.Key) -> [FileProblem] {
        guard !key.isSecret else { return [] }
        let environments = key.comparable
        // For each server, the first live environment that uses the server. The dictionary is lazy because, for most
        // keys, no sealed environment contains a URL.
        lazy var live = Dictionary(
            environments.filter { !$0.target.layers.isSealed }.compactMap { item in
                item.setting.node.string.flatMap(URLText.authority).map { ($0, item) }
            }
        ) { first, _ in first }
        return environments.filter { $0.target.layers.isSealed }.compactMap { sealed in
            guard case .string(let text) = sealed.setting.value, let server = URLText.authority(of: text),
                !URLText.staysHere(text), let live = live[server]
            else { return nil }
            // Calls are sent to base URLs. Any other URL may be a link that the app only displays. If the sealed
            // environment inherits such a URL, all environments share the URL on purpose.
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
    /// The settings of the environments that can be compared.
    fileprivate var comparable: [(target: EnvironmentSchema.Target, setting: Setting)] {
        settings.filter(\.target.isComparable)
    }
}

extension LayeredEnvironment {
    /// Returns the place where a missing key should be added. If the environment contains the key's parent dictionary,
    /// the place is this dictionary. Otherwise the place is the top level of the environment's own file.
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

extension LayeredEnvironment {
    /// False if a file could not be read, or if a reserved key that adds or removes keys is invalid. In both cases, the
    /// environment may lack keys, and a comparison would wrongly report these keys.
    package var isComparable: Bool {
        if isIncomplete { return false }
        // The lowest layer above `Base` is the start of a chain. If that layer extends an environment other than
        // `Base`, that environment is missing, or the chain is a cycle.
        let lowest = committedDocuments.first { $0.environment != EnvironmentFolder.base }
        let parent = lowest?[.extends]?.string ?? EnvironmentFolder.base
        return parent == EnvironmentFolder.base
            && layers.allSatisfy { document, origin in
                (document.root.entries ?? []).allSatisfy {
                    $0.isReadable(in: document, isSecretsFile: origin == .secrets)
                }
            }
    }

    /// Returns true if a value comes from the environment's own committed file, false if the value is inherited.
    func isOwn(_ setting: Setting) -> Bool {
        committedDocuments.last === setting.source.document
    }
}

extension Node.Entry {
    /// Returns false if the file contains an unknown reserved key, or an invalid value for a reserved key that adds or
    /// removes keys, such as `$unset`.
    fileprivate func isReadable(in document: Document, isSecretsFile: Bool) -> Bool {
        guard key.utf8.first == UInt8(ascii: "$") else { return true }
        return switch EnvironmentRules.Key(rawValue: key) {
        case nil: EnvironmentRules.ignored.contains(key)
        case .secrets?: EnvironmentRules.Key.secrets.problems(of: self, in: document).isEmpty
        case let key? where [.optional, .extends, .unset].contains(key) && !isSecretsFile:
            key.problems(of: self, in: document).isEmpty
        default: true
        }
    }
}

extension URLText {
    /// Returns the URL's host in a normalized form, followed by the port if the port is not the default port. Returns
    /// nil if the text is not a URL with a host. The result is the same for all spellings of a server.
    package static func authority(of text: String) -> String? {
        guard let url = url(text), let host = url.host, !host.isEmpty else { return nil }
        let isDefault =
            switch url.scheme?.lowercased() {
            case "https", "wss": url.port == 443
            case "http", "ws": url.port == 80
            default: false
            }
        return name(of: host) + (isDefault ? "" : url.port.map { ":\($0)" } ?? "")
    }

    /// Returns a host in a normalized form: a name in lower case without a dot at its end, or an address as in RFC
    /// 5952.
    private static func name(of host: String) -> String {
        guard var address = address(of: host) else {
            let name = host.lowercased()
            return name.ends(with: ".") ? name.withoutEnd(".") : name
        }
        if address.count == 4 { return address.map { "\($0)" }.joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        return "[\(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))]"
    }

    /// Returns the 4 or 16 bytes of an IP address, or nil for a host name. Spellings such as `127.1` and `0x7f000001`
    /// are addresses too, because the system accepts them. For an IPv4 address in IPv6 (RFC 4291 section 2.5.5.2), such
    /// as `::ffff:127.0.0.1`, returns the last 4 bytes.
    package static func address(of host: String) -> [UInt8]? {
        let name = host.ends(with: ".") ? host.withoutEnd(".") : host
        var (address, short) = (in6_addr(), in_addr())
        if name.utf8.contains(UInt8(ascii: ":")) {
            let text = name.begins(with: "[") ? String(name.dropFirst().prefix(before: "]%")) : name
            guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
            let bytes = withUnsafeBytes(of: &address) { Array($0) }
            return bytes.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF]) ? bytes.suffix(4) : bytes
        }
        // Other characters are refused before the call, because `inet_aton` ignores everything after a space.
        guard name.utf8.first?.isASCIIDigit == true,
            name.utf8.allSatisfy({ $0.isHexadecimalDigit || "xX.".utf8.contains($0) }), inet_aton(name, &short) != 0
        else { return nil }
        return withUnsafeBytes(of: &short.s_addr) { Array($0) }
    }

    /// Returns true if a request to the URL cannot reach a real server. The host of such a URL is a loopback address,
    /// or a name that RFC 2606 reserves (`.invalid`, `.test`, `.example`, `.localhost`).
    static func staysHere(_ text: String) -> Bool {
        guard let host = URL(string: text)?.host else { return true }
        let name = name(of: host)
        if isLoopback(name) || name == "0.0.0.0" || name == "invalid" { return true }
        return [".invalid", ".test", ".example", ".localhost"].contains(where: name.hasSuffix)
    }
}
