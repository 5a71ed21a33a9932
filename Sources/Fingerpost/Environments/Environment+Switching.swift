import Foundation

// What an installed app decides about its environment.
extension Environment {
    /// Sets where secrets come from that no file and no process variable gives a value. Call it once, at launch, before
    /// the current environment is used.
    ///
    /// - Throws: ``EnvironmentError`` if a source is set already, or if the current environment is loaded already.
    public static func bootstrap(secrets: some SecretSource) throws(EnvironmentError) {
        try ProcessEnvironment.current.bootstrap(secrets)
    }

    /// Switches the process to another environment, in an app whose committed files allow it: `"$switchable": true`.
    ///
    /// ``current``, the generated properties, and each client that was not given an environment or a base URL of its
    /// own follow from the next call on. Calls in progress end where they began. The choice is kept for the next
    /// launch, of this process: an app extension chooses for itself. On tvOS, it is in the caches, which the system may
    /// delete. ``load(_:from:)`` does not follow.
    ///
    /// Credentials do not follow: a client sends its ``ClientConfiguration/authorization`` in another environment only
    /// if it is ``Authorization/perEnvironment(_:)``.
    ///
    /// - Parameter name: the environment's name; nil for the environment that the rules select.
    /// - Throws: ``EnvironmentError`` if the environment does not exist, is sealed or cannot be loaded; if the app does
    ///   not allow it; in tests, which set the environment of their ``APIScope`` instead; and if the choice cannot be
    ///   kept. Nothing changes then.
    public static func choose(_ name: String?) throws(EnvironmentError) {
        try ProcessEnvironment.current.choose(name)
    }

    /// The names of the environments that ``choose(_:)`` switches to from now on, for a model that logs out and
    /// reloads. Each loop gets the switches after its start. A loop that is slow skips all but the latest one.
    public static var changes: AsyncStream<String> { ProcessEnvironment.current.changes }

    /// True if ``choose(_:)`` selected the environment, for a badge that says so.
    public var isChosen: Bool { contents.isChosen }
}
