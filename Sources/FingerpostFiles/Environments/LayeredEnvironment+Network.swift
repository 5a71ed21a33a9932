/// Who answers calls. An environment whose description is `Testing` is sealed: mocks answer, unless `$network` says otherwise.
extension LayeredEnvironment {
    /// The value of `description`, or else the name. That of ``sealedDescription`` seals the environment.
    package var description: String { root["description"]?.node.string ?? name }

    package static let sealedDescription = "Testing"

    /// How calls are answered.
    package var network: EnvironmentRules.Network {
        reserved[.network]?.node.string.flatMap(EnvironmentRules.Network.init)
            ?? (description == Self.sealedDescription ? .sealed : .live)
    }

    /// How queries are written; nil where no layer says it.
    package var dialect: EnvironmentRules.Dialect? {
        reserved[.dialect]?.node.string.flatMap(EnvironmentRules.Dialect.init)
    }

    /// True where mocks answer, which need no secrets.
    package var isSealed: Bool { network == .sealed }
}
