import FingerpostFiles

/// An environment's settings for calls: the reserved keys `$dialect`, `$timeout`, `$retry`,
/// `$network` and `$log`.
struct ReservedSettings: Sendable {
    /// Whether servers or mocks answer calls.
    let network: Environment.Network
    /// How values are written in queries and forms; nil means the client's dialect.
    let dialect: QueryDialect?
    /// The time limit for a call; nil means the client's time limit.
    let timeout: Duration?
    /// How often a call is sent again after a failure; nil means the client's policy.
    let retry: RetryPolicy?
    /// True if `$network` is `sealed`; false if only the environment's description seals it.
    let isSealedByNetwork: Bool

    /// Which calls are logged.
    let log: EnvironmentRules.Log

    init(_ layers: LayeredEnvironment) {
        dialect = layers[.dialect]?.node.string.flatMap(EnvironmentRules.Dialect.init).map { dialect in
            switch dialect {
            case .standard: .standard
            case .rails: .rails
            case .java: .java
            case .indexed: QueryDialect(arrays: .indexed)
            }
        }
        timeout = layers[.timeout]?.node.number.map { .seconds(min($0, Double(Duration.maximumSeconds))) }
        retry =
            switch layers[.retry]?.value {
            case .string("standard"): .standard
            case .string("off"): .off
            case .integer(let attempts): RetryPolicy(maximumAttempts: Int(clamping: attempts))
            default: nil
            }
        network = Environment.Network(rawValue: layers.network.rawValue) ?? .sealed
        log = layers[.log]?.node.string.flatMap(EnvironmentRules.Log.init) ?? .off
        isSealedByNetwork = layers.isSealedByNetwork
    }
}
