import FingerpostFiles
import Foundation

extension Environment {
    /// Where a value of the current environment came from: see ``explain(_:)-swift.method``.
    ///
    /// - Throws: ``EnvironmentError`` when there is no environment.
    public static func explain(_ key: String) throws(EnvironmentError) -> String {
        try current.explain(key)
    }

    /// Where a value came from: the value, its file and line, what it replaced, and the process variable that could replace it. The
    /// value of a secret is not shown.
    ///
    /// ```
    /// apiBasePath = https://staging.example.com
    ///   from Environments/Staging-Env.json:3
    ///   over Environments/Base-Env.json:4
    ///   ENV__API_BASE_PATH is not set
    /// ```
    public func explain(_ key: String) -> String {
        EnvironmentExplanation(layers, key: key).description
    }
}
