/// Formats coding paths for messages: `owner.repos[3].name`.
package enum CodingPath {
    /// Returns the path as text, with dots between the keys and with brackets around the indices; the text is empty for
    /// the root.
    package static func text(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
    }
}
