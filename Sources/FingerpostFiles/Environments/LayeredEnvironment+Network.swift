/// Decides whether calls are answered by mocks or by a server.
extension LayeredEnvironment {
    /// The key whose value names an environment, and seals it if the value is ``sealedDescription``.
    static let descriptionKey = "description"

    /// The value of the key `description`, or the environment's name when the key is not set.
    package var description: String { root[Self.descriptionKey]?.node.string ?? name }

    /// The description that seals an environment unless its own file sets `$network`.
    package static let sealedDescription = "Testing"

    /// True for the testing environment: its own file describes it as `Testing`, or does not describe it and is called
    /// `Testing`, or it inherits this description. Other layers cannot replace the description of its own file here.
    package var isTesting: Bool {
        (ownDescription ?? name) == Self.sealedDescription || description == Self.sealedDescription
    }

    /// How calls are answered: the value of `$network`. Without this key, calls are `sealed` for the testing
    /// environment and `live` for any other environment.
    ///
    /// The testing environment is sealed unless `$network` in its own file says otherwise. No other layer can open it,
    /// so that no call of a test is sent because of a setting in a file that others share.
    package var network: EnvironmentRules.Network {
        ownNetwork ?? (isTesting ? .sealed : reserved[.network].flatMap { Self.network($0.node) } ?? .live)
    }

    static func network(_ node: Node) -> EnvironmentRules.Network? {
        node.string.flatMap(EnvironmentRules.Network.init)
    }

    /// True when `$network` seals the environment, instead of its description alone.
    package var isSealedByNetwork: Bool {
        reserved[.network].flatMap { Self.network($0.node) } == .sealed && isSealed
    }

    /// How queries are encoded; nil when no layer sets `$dialect`.
    package var dialect: EnvironmentRules.Dialect? {
        reserved[.dialect]?.node.string.flatMap(EnvironmentRules.Dialect.init)
    }

    /// How often a call is sent again after a failure; nil when no layer sets `$retry`.
    package var retry: EnvironmentRules.Retry? {
        reserved[.retry].flatMap { EnvironmentRules.Retry($0.value) }
    }

    /// Which calls are logged; none when no layer sets `$log`.
    package var log: EnvironmentRules.Log {
        reserved[.log]?.node.string.flatMap(EnvironmentRules.Log.init) ?? .off
    }

    /// The access level of the generated Swift code; nil when `Base` does not set `$access`.
    package var access: EnvironmentRules.Access? {
        reserved[.access]?.node.string.flatMap(EnvironmentRules.Access.init)
    }

    /// True if an installed app may switch to another environment. Only a committed file can allow it, so that everybody
    /// can review it.
    package var isSwitchable: Bool {
        if case .boolean(true)? = reserved[.switchable]?.value { isCommitted(.switchable) } else { false }
    }

    /// Reports `$switchable` in a place that nobody reviews.
    mutating func checkSwitchable() {
        guard let setting = reserved[.switchable], !isCommitted(.switchable) else { return }
        report(
            setting.source.problem(
                "\"$switchable\" counts only in a committed file", fix: "move it to a file <Name>-Env"))
    }

    private func isCommitted(_ key: EnvironmentRules.Key) -> Bool {
        guard case .file(let document, _)? = reserved[key]?.source else { return false }
        return committedDocuments.contains(where: document.isSame)
    }

    /// True when only mocks answer calls. A sealed environment needs no secrets.
    package var isSealed: Bool { network == .sealed }
}
