public import Fingerpost
import FingerpostDocuments

extension Environment {
    /// Explains where a value of the current environment comes from: see ``explain(_:)-swift.method``.
    ///
    /// - Throws: ``/Fingerpost/EnvironmentError`` if there is no current environment.
    public static func explain(_ key: String) throws(EnvironmentError) -> String {
        try current.explain(key)
    }

    /// Explains where a value comes from, for the output of a test. For values in the files, `fingerpost-cli explain`
    /// prints the same explanation. The text shows the value, the value's file and line, the values that this value
    /// overrides, and the environment variable that can override this value. Secret values are not shown.
    ///
    /// ```
    /// apiBasePath = https://staging.example.com
    ///   from Environments/Staging-Env.json:3
    ///   over Environments/Base-Env.json:4
    ///   ENV__API_BASE_PATH is not set
    /// ```
    public func explain(_ key: String) -> String {
        layers.explanation(of: key)
    }
}
