/// Who answers calls. An environment whose description is `Testing` is sealed: mocks answer, unless `$network` says otherwise.
extension LayeredEnvironment {
    /// The value of `description`, or else the name. That of ``sealedDescription`` seals the environment.
    package var description: String { root["description"]?.node.string ?? name }

    package static let sealedDescription = "Testing"

    /// How calls are answered: one of the texts that `$network` can be.
    package var network: String {
        reserved[.network]?.node.string ?? (description == Self.sealedDescription ? "sealed" : "live")
    }

    /// True where mocks answer, which need no secrets.
    package var isSealed: Bool { network == "sealed" }
}
