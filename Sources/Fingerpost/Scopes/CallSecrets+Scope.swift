extension CallSecrets {
    /// The secrets of the environment that calls without one of their own use now; none before it is loaded.
    ///
    /// The descriptions of routes and of responses ask for them, although they are in rooms below this one.
    static var inForce: CallSecrets { CallSecrets(APIScope.current?.environment ?? ProcessEnvironment.current.loaded) }
}
