import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Keeps credentials out of everything that people read: errors, logs, descriptions.
package enum Redaction {
    package static let placeholder = "<redacted>"

    /// Names, as a whole, whose values are credentials.
    private static let names: Set<String> = ["code", "cookie", "setcookie", "pin", "otp", "sid"]

    /// Words that make a name sensitive wherever they stand in it: `X-Api-Key`, `apiKey`, `api_key`.
    private static let words: Set<String> = [
        "auth", "key", "pass", "pwd", "session", "sig", "jwt", "token", "tokens", "secret", "secrets", "credential",
        "credentials",
        "passcode",
    ]

    /// Words that do so inside another word too: `apikey`, `accesstoken`.
    private static let stems = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "signature",
        "authorization",
    ]

    /// True when the value of a header, a query item or a JSON key of this name is a credential.
    package static func isSensitive(_ name: String) -> Bool {
        let split = words(of: name)
        let folded = split.joined()
        return names.contains(folded) || split.contains { words.contains($0) } || stems.contains { folded.contains($0) }
    }

    /// The words of a name, in lower case: `apiKey`, `api_key` and `Api-Key` have the same two.
    private static func words(of name: String) -> [String] {
        var found: [String] = []
        var word = ""
        var previousIsLower = false
        for character in name {
            let isSeparator = !character.isLetter && !character.isNumber
            if isSeparator || character.isUppercase && previousIsLower {
                if !word.isEmpty { found.append(word) }
                word = ""
            }
            if !isSeparator { word += character.lowercased() }
            previousIsLower = character.isLowercase
        }
        return word.isEmpty ? found : found + [word]
    }

    /// A URL without the password of its user, the values of sensitive query items, and its fragment.
    package static func url(_ text: String) -> String {
        var text = String(text.prefix { $0 != "#" })
        if let scheme = text.range(of: "://") {
            let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if let at = authority.lastIndex(of: "@") {
                text.replaceSubrange(authority.startIndex..<at, with: placeholder)
            }
        }
        guard let question = text.firstIndex(of: "?") else { return text }
        let items = text[text.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = items.map { item -> String in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let name = item[..<equals]
            return isSensitive(name.removingPercentEncoding ?? String(name)) ? "\(name)=\(placeholder)" : String(item)
        }
        return text[...question] + shown.joined(separator: "&")
    }

    /// Text from a server, which may repeat what the request said in confidence, without it.
    package static func text(_ text: String, withoutCredentialsOf request: URLRequest) -> String {
        let headers = (request.allHTTPHeaderFields ?? [:]).filter { isSensitive($0.key) }.values
        let items = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }?.queryItems ?? []
        let values = items.filter { isSensitive($0.name) }.compactMap(\.value)
        return Self.text(text, without: headers + values + credentials(in: request.httpBody))
    }

    /// Names of passwords and the like. A body has many names that only might be sensitive: `key`, `session`.
    private static func isPassword(_ name: String) -> Bool {
        let split = words(of: name)
        let folded = split.joined()
        return split.contains { ["pass", "pwd", "passcode", "jwt"].contains($0) }
            || stems.contains { folded.contains($0) }
    }

    /// The texts that stand under the name of a password in a body of JSON or of a form.
    private static func credentials(in body: Data?) -> [String] {
        guard let body, body.count <= 65_536 else { return [] }
        // What is no JSON may be a form.
        if let root = try? JSONReader.read(body, keepsEveryDigit: false) { return credentials(in: root) }
        let form = String(decoding: body, as: UTF8.self).split(separator: "&").map { field in
            field.split(separator: "=", maxSplits: 1).map { part in
                part.replacing("+", with: " ").removingPercentEncoding ?? String(part)
            }
        }
        return form.filter { $0.count == 2 && isPassword($0[0]) }.map { $0[1] }
    }

    private static func credentials(in node: Node) -> [String] {
        switch node.value {
        case .array(let elements): elements.flatMap(credentials)
        case .dictionary(let entries):
            entries.flatMap { entry in
                let text = isPassword(entry.key) ? entry.node.string : nil
                return text.map { [$0] } ?? credentials(in: entry.node)
            }
        default: []
        }
    }

    /// Text without credentials, and without their parts: `abc` of `Bearer abc`, and of `sid=abc; theme=dark`.
    package static func text(_ text: String, without credentials: [String]) -> String {
        let parts = credentials.flatMap { credential in
            credential.split { $0 == " " || $0 == ";" || $0 == "," }.flatMap { part in
                [String(part), part.firstIndex(of: "=").map { String(part[$0...].dropFirst()) } ?? ""]
            }
        }
        // What is shorter is no secret, and stands in too many texts.
        return (credentials + parts).filter { $0.count > 3 && $0 != "Bearer" && $0 != "Basic" }
            .sorted { $0.count > $1.count }
            .reduce(text) { $0.replacingOccurrences(of: $1, with: placeholder) }
    }
}
