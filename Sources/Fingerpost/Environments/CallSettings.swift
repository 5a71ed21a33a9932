import FingerpostFiles

/// An environment's settings for calls: the reserved keys `$dialect`, `$timeout`, `$retry`,
/// `$network` and `$log`.
struct CallSettings: Sendable {
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
        dialect =
            switch layers.dialect {
            case .standard: .standard
            case .rails: .rails
            case .java: .java
            case .indexed: QueryDialect(arrays: .indexed)
            case nil: nil
            }
        timeout =
            switch layers.reserved[.timeout]?.value {
            case .integer(let seconds): .seconds(min(seconds, Int64(Duration.maximumSeconds)))
            case .real(let seconds): .seconds(min(seconds, Double(Duration.maximumSeconds)))
            default: nil
            }
        retry =
            switch layers.retry {
            case .standard: .standard
            case .off: .off
            case .attempts(let number): RetryPolicy(maximumAttempts: number)
            case nil: nil
            }
        network =
            switch layers.network {
            case .live: .live
            case .sealed: .sealed
            case .mocksThenLive: .mocksThenLive
            }
        log = layers.log
        isSealedByNetwork = layers.isSealedByNetwork
    }
}
