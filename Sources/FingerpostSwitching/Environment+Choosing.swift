extension Environment {
    /// Switches the process to another environment, in an app whose committed files allow it: `"$switchable": true`.
    ///
    /// `current`, the generated properties, and each client that was not given an environment or a base URL of its
    /// own follow from the next call on. Calls in progress end where they began. The choice is kept for the next
    /// launch, of this process: an app extension chooses for itself. On tvOS, it is in the caches, which the system may
    /// delete. `load(_:from:)` does not follow.
    ///
    /// Credentials do not follow: a client sends its ``/Fingerpost/ClientConfiguration/authorization`` in another
    /// environment only if it is ``/Fingerpost/Authorization/perEnvironment(_:)``.
    ///
    /// - Parameter name: the environment's name; nil for the environment that the rules select.
    /// - Throws: ``/Fingerpost/EnvironmentError`` if the environment does not exist, is sealed or cannot be loaded; if
    ///   the app does not allow it; in tests, which set the environment of their ``/Fingerpost/APIScope`` instead; and
    ///   if the choice cannot be kept. Nothing changes then.
    public static func choose(_ name: String?) throws(EnvironmentError) {
        try EnvironmentSwitch.current.choose(name)
    }

    /// The names of the environments that `choose(_:)` switches to from now on, for a model that logs out and
    /// reloads. Each loop gets the switches after its start. A loop that is slow skips all but the latest one.
    public static var changes: AsyncStream<String> { EnvironmentSwitch.current.changes }
}
