extension Environment.Network {
    /// The stricter setting of an environment and a scope.
    static func strictest(_ environment: Environment?, _ scope: APIScope?) -> Self {
        max(environment?.network ?? .live, scope?.network ?? .live)
    }
}
