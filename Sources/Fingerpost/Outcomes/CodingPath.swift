/// Formats coding paths for messages: `owner.repos[3].name`.
package enum CodingPath {
    /// Returns the path as text, with dots between keys and brackets around indices. For the root, the text is empty.
    package static func text(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
    }
}
