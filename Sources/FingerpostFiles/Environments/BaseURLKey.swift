/// Decides which keys hold base URLs, by their names.
package enum BaseURLKey {
    /// True for `baseURL`, `base_url`, `api.baseURL`, `authBaseUrl` and the like, but not for `databaseURL`.
    ///
    /// - Parameter path: the key's name or its dotted path.
    package static func isNamed(_ path: String) -> Bool {
        // The letters of the last key, in reverse and in lower case.
        let end = path.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
            .lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }.map { $0 | 0x20 }
        func ends(with suffix: String) -> Bool { end.starts(with: suffix.utf8.reversed()) }
        return (ends(with: "baseurl") || ends(with: "baseuri")) && !ends(with: "databaseurl")
            && !ends(with: "databaseuri")
    }

    /// The fix for a base URL that is not a URL.
    package static let fix = "write it in full, for example https://api.example.com"
}
