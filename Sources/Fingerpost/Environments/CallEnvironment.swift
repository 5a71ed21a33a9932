/// The environment of a call, and whether the client's credentials belong to it.
struct CallEnvironment: Sendable {
    /// The environment; nil for a call without one.
    let value: Environment?
    /// True if the environment was chosen in the running app, so that only its own credentials may be sent.
    let isForeign: Bool
}
