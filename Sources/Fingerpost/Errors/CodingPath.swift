import FingerpostFiles

/// Formats coding paths for messages: `owner.repos[3].name`.
enum CodingPath {
    /// Returns the path as text, with dots between keys and brackets around indices. For the root, the text is empty.
    ///
    /// - Parameter isShown: true to leave out keys that are credentials: `tokens.<redacted>.user`. A dictionary's keys
    ///   come from the server. Such a key is left out inside a value whose name is that of credentials. The keys of a
    ///   model are names in the app's code.
    static func text(_ path: [any CodingKey], isShown: Bool = false) -> String {
        var isInCredential = false
        return path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            let isHidden = isShown && isInCredential && Mirror(reflecting: key).displayStyle != .enum
            let name = isHidden ? SensitiveName.placeholder : key.stringValue
            // The name of a credential, or of several, such as `sessions`.
            let names = [key.stringValue, key.stringValue.withoutEnd(key.stringValue.ends(with: "s") ? "s" : "")]
            isInCredential = isInCredential || names.contains(where: SensitiveName.isSensitive)
            return text.isEmpty ? name : "\(text).\(name)"
        }
    }

    /// Returns the path as text, without keys that are credentials.
    static func shown(_ path: [any CodingKey]) -> String { text(path, isShown: true) }
}
