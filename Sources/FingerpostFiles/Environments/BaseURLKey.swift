/// Decides which keys hold base URLs, by their names.
package enum BaseURLKey {
    /// True for `baseURL`, `base_url`, `api.baseURL`, `authBaseUrl` and the like, but not for `databaseURL`.
    ///
    /// - Parameter path: the key's name or its dotted path.
    package static func isNamed(_ path: String) -> Bool {
        (ends(path, with: "baseurl") || ends(path, with: "baseuri"))
            && !ends(path, with: "databaseurl") && !ends(path, with: "databaseuri")
    }

    /// True if the letters of the last key end with a suffix, whatever their case. The dot before the key matches no
    /// letter.
    @inline(never)
    private static func ends(_ path: String, with suffix: StaticString) -> Bool {
        path.withBytes { path in
            var rest = UnsafeBufferPointer(start: suffix.utf8Start, count: suffix.utf8CodeUnitCount)[...]
            for byte in path.reversed() where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") {
                guard let letter = rest.popLast() else { return true }
                if byte | 0x20 != letter { return false }
            }
            return rest.isEmpty
        }
    }

    /// The key that a client reads unless it is given another.
    package static let standard = "baseURL"

    /// The problem with text that should be a URL.
    ///
    /// - Parameter isSecret: true to show no character of the text.
    package static func problem(ofPlainText text: String, isSecret: Bool = false) -> FileProblem {
        guard let mark = text.utf8.firstRange(of: "://".utf8), URLText.isScheme(text.utf8[..<mark.lowerBound]) else {
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

    /// The problem with a URL that is not an http or https URL; nil if its key is not the one that clients read by
    /// default, because other base URLs can be for other protocols.
    ///
    /// - Parameter scheme: the URL's scheme; nil to not show the scheme of a secret.
    static func problem(ofScheme scheme: String?, at path: String) -> FileProblem? {
        guard path == standard else { return nil }
        return FileProblem(
            scheme.map { "has the scheme \"\($0)\"" } ?? "is not an http or https URL",
            fix: "start it with https:// or http://")
    }
}
