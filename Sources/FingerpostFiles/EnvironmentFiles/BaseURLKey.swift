/// Decides which keys hold base URLs, by their names.
package enum BaseURLKey {
    /// True for `baseURL`, `base_url`, `api.baseURL`, `authBaseUrl` and the like, but not for `databaseURL`.
    ///
    /// - Parameter path: the key's name or its dotted path.
    package static func isNamed(_ path: String) -> Bool {
        // A fast exit, because few keys end like the names.
        guard let last = path.utf8.last, last.isOne(of: "lLiI_-") else { return false }
        let letters = path.lowercased().filter { $0 != "_" && $0 != "-" }
        return ["baseurl", "baseuri"].contains { letters.hasSuffix($0) && !letters.hasSuffix("data" + $0) }
    }

    /// The key that a client reads unless it is given another.
    package static let standard = "baseURL"

    /// The problem with text that should be a URL.
    ///
    /// - Parameter isSecret: true to show no character of the text.
    package static func problem(ofPlainText text: String, isSecret: Bool = false) -> FileProblem {
        guard let mark = text.firstRange(ofBytes: "://"), URLText.isScheme(text.utf8[..<mark.lowerBound]) else {
            return FileProblem(
                "is not a URL with a scheme", fix: "write it in full, for example https://api.example.com")
        }
        guard let (character, escape) = URLText.misfit(in: text) else {
            return FileProblem(
                "has a host that a URL cannot have", fix: "correct it, and write a host with other letters as xn--…")
        }
        return isSecret
            ? FileProblem(
                "contains a character that a URL cannot contain", fix: "escape it, for example a space as %20")
            : FileProblem("contains \(character), which a URL cannot contain there", fix: "write \(escape)")
    }

    /// The problem with a base URL that has a fragment: a path that followed it would never be sent.
    package static func problem(ofFragmentIn text: String) -> FileProblem? {
        text.hasAny(of: "#")
            ? FileProblem("has a fragment, which is never sent", fix: "remove the # and what follows it") : nil
    }
}
