// What an installed app decides about its environment.
extension Environment {
    /// Sets where secrets come from that no file and no process variable gives a value. Call it once, at launch, before
    /// the current environment is used.
    ///
    /// - Throws: ``EnvironmentError`` if a source is set already, or if the current environment is loaded already.
    public static func bootstrap(secrets: some SecretSource) throws(EnvironmentError) {
        try ProcessEnvironment.current.bootstrap(secrets)
    }

    /// True if `choose(_:)` of the product `FingerpostSwitching` selected the environment, for a badge that says so.
    public var isChosen: Bool { contents.isChosen }
}
