/// How much of a stream may be in memory, in bytes.
public struct StreamLimits: Sendable, Hashable {
    /// The maximum size of one line or event; 1 MiB by default. A larger one is an error of the kind `transport`.
    public var elementSize = 1 << 20
    /// How many bytes may wait for a loop that reads more slowly than the server sends; 16 MiB by default. More are an
    /// error of the kind `transport`.
    ///
    /// On Apple platforms, the session is asked to pause when half of them wait, which it may do late. Foundation on
    /// Linux cannot pause.
    public var bufferSize = 16 << 20

    /// The default limits.
    public init() {}
}
