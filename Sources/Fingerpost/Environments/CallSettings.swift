import FingerpostFiles

/// What an environment says of calls: the reserved keys `$dialect`, `$timeout` and `$network`.
struct CallSettings: Sendable {
    /// How they are answered.
    let network: Environment.Network
    /// How its servers want queries written; nil leaves it to the client.
    let dialect: QueryDialect?
    /// The time that it gives a call; nil leaves it to the client.
    let timeout: Duration?
    /// True when the file says how calls are answered, and not only its description does.
    let saysNetwork: Bool

    init(_ layers: LayeredEnvironment) {
        dialect =
            switch layers.dialect {
            case .standard: .standard
            case .rails: .rails
            case .java: .java
            case nil: nil
            }
        timeout =
            switch layers.reserved[.timeout]?.value {
            case .integer(let seconds): .seconds(min(seconds, Self.maximumTimeout))
            case .real(let seconds): .seconds(min(seconds, Double(Self.maximumTimeout)))
            default: nil
            }
        network =
            switch layers.network {
            case .live: .live
            case .sealed: .sealed
            case .mocksThenLive: .mocksThenLive
            }
        saysNetwork = layers.reserved[.network] != nil
    }

    /// In seconds: more than thirty years. Much more than this is no duration, and ends the process.
    static let maximumTimeout = 1_000_000_000
}
