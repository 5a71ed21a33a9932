import Fingerpost

extension Environment {
    /// The time for a call; in the file a number of seconds.
    ///
    /// Keys that are read through a property like this one cannot be misspelt where they are used.
    var timeout: Duration {
        get throws(EnvironmentError) { .seconds(try value("timeout", as: Double.self)) }
    }
}
