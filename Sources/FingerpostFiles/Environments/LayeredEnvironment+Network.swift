/// Decides whether calls are answered by mocks or by a server. Unless `$network` is set, an environment with the
/// description `Testing` is sealed, which means that only mocks answer its calls.
extension LayeredEnvironment {
    /// The value of the key `description`, or the environment's name when the key is not set.
    package var description: String { root["description"]?.node.string ?? name }

    /// The description that seals an environment when `$network` is not set.
    package static let sealedDescription = "Testing"

    /// How calls are answered: the value of `$network`. If `$network` is not set, the description decides: calls are
    /// `sealed` for the description `Testing` and `live` for any other description.
    package var network: EnvironmentRules.Network {
        reserved[.network]?.node.string.flatMap(EnvironmentRules.Network.init)
            ?? (description == Self.sealedDescription ? .sealed : .live)
    }

    /// How queries are encoded; nil when no layer sets `$dialect`.
    package var dialect: EnvironmentRules.Dialect? {
        reserved[.dialect]?.node.string.flatMap(EnvironmentRules.Dialect.init)
    }

    /// How often a call is sent again after a failure; nil when no layer sets `$retry`.
    package var retry: EnvironmentRules.Retry? {
        reserved[.retry].flatMap { EnvironmentRules.Retry($0.value) }
    }

    /// True when only mocks answer calls. A sealed environment needs no secrets.
    package var isSealed: Bool { network == .sealed }
}
