/// Decides which keys hold base URLs, by their names.
package enum BaseURLKey {
    /// True for `baseURL`, `base_url`, `api.baseURL`, `authBaseUrl` and the like, but not for `databaseURL`.
    ///
    /// - Parameter path: the key's name or its dotted path.
    package static func isNamed(_ path: String) -> Bool {
        // A fast exit, because few keys end in these letters.
        guard let last = path.utf8.last, last.isOne(of: "lLiI_-") else { return false }
        let letters = path.lowercased().filter { $0 != "_" && $0 != "-" }
        return ["baseurl", "baseuri"].contains { letters.hasSuffix($0) && !letters.hasSuffix("data" + $0) }
    }

    /// The key that a client reads by default.
    package static let standard = "baseURL"

    /// Returns the key of the environment's only base URL, or else the key of the environment's only URL. Returns nil
    /// if the environment has the key ``standard``, no URL, or several URLs.
    package static func other(in root: Setting) -> String? {
        guard root[standard] == nil else { return nil }
        var (named, others) = ([String](), [String]())
        root.forEachLeaf { path, setting in
            guard case .string(let text) = setting.value, text.startsAsWebAddress else { return }
            if isNamed(path()) { named.append(path()) } else { others.append(path()) }
        }
        let found = named.isEmpty ? others : named
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the problem with text that should be a URL. The message continues a sentence that starts with the key's
    /// name.
    ///
    /// - Parameters:
    ///   - placeholder: the text that is shown instead of a secret.
    ///   - parser: describes the problem; nil in an app without the strict parser.
    package static func problem(
        ofPlainText text: String, placeholder: String? = nil, parser: (any StrictParsing.Type)? = LinkedParser.value
    ) -> FileProblem {
        parser?.problem(ofURL: text, placeholder: placeholder)
            ?? FileProblem("is not a URL", fix: "write it in full, for example https://api.example.com")
    }

    /// The error for a base URL with a fragment. A path that is appended to a fragment is never sent.
    package static func problem(ofFragmentIn text: String) -> FileProblem? {
        text.hasAny(of: "#")
            ? FileProblem("has a fragment, which is never sent", fix: "remove the # and what follows it") : nil
    }
}

extension String {
    /// True for a text that starts like a web address.
    package var startsAsWebAddress: Bool {
        let start = prefix(8).lowercased()
        return start.begins(with: "http://") || start.begins(with: "https://")
    }
}
