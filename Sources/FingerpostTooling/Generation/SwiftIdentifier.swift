/// Names of keys and files as names in Swift.
enum SwiftIdentifier {
    /// The name in camel case, nil when it cannot be one: `sample-rate` is `sampleRate`, `users/show` is `usersShow`.
    static func make(_ name: String) -> String? {
        var identifier = ""
        var startsWord = false
        for scalar in name.unicodeScalars {
            if scalar == "_" || scalar.properties.isXIDContinue {
                let text = String(scalar)
                identifier += startsWord && !identifier.isEmpty ? text.uppercased() : text
                startsWord = false
            } else if scalar.isASCII, scalar.value >= 0x20, scalar.value != 0x7F {
                startsWord = true
            } else {
                return nil
            }
        }
        guard let first = identifier.unicodeScalars.first, first == "_" || first.properties.isXIDStart,
            identifier.contains(where: { $0 != "_" })
        else { return nil }
        return identifier
    }

    /// The name of the type that belongs to a property: `analytics` has `AnalyticsValues`.
    ///
    /// The ending keeps it apart from the types of Foundation and the app, such as `Data`.
    static func typeName(_ identifier: String) -> String {
        identifier.prefix(1).uppercased() + identifier.dropFirst() + "Values"
    }

    /// The name as it is written where it is declared.
    static func escaped(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// What Swift understands in its own way behind a dot, backticks or not.
    static let unusable: Set = ["self", "Self", "Type", "Protocol", "init"]

    private static let keywords: Set = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if",
        "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while",
    ]
}
