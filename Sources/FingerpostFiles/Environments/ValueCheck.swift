import Foundation

/// Finds what is wrong with single values: what build settings leave behind, URLs that lead nowhere, numbers that are none.
enum ValueCheck {
    /// - Parameter placeholder: shown in the place of a secret value.
    /// - Returns: what is wrong, to be read after the key's name, and the fix.
    static func objection(to value: Node.Value, placeholder: String?) -> (message: String, fix: String)? {
        switch value {
        case .string(let text): objection(to: text, placeholder: placeholder)
        case .real(let number) where !number.isFinite:
            ("is no finite number", "write a number, or text")
        case .array(let elements):
            elements.firstObjection(placeholder: placeholder)
        case .dictionary(let entries):
            entries.map(\.node).firstObjection(placeholder: placeholder)
        default: nil
        }
    }

    private static func objection(to text: String, placeholder: String?) -> (message: String, fix: String)? {
        if holdsVariable(text) {
            return (
                "holds a variable that was not replaced: \(placeholder ?? text)",
                "write the value, or have the build replace it"
            )
        }
        guard text.utf8.count >= 5, text.utf8.prefix(4).elementsEqual("http".utf8, by: isSameLetter) else { return nil }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        if rest.elementsEqual(":".utf8) {
            return (
                "is \"\(text)\" alone; in an .xcconfig file // starts a comment",
                "write \(scheme):/$()/host there, or the URL here"
            )
        }
        guard rest.starts(with: "://".utf8) else { return nil }
        guard URLText.hasValidPort(text) else {
            return ("has a port that is not in 1...65535", "correct the port, or leave it out")
        }
        guard let url = URL(string: text) else {
            return ("is not a URL", "escape what cannot stand in one")
        }
        return url.host?.isEmpty ?? true ? ("is a URL without a host", "write it in full") : nil
    }

    private static func isSameLetter(_ a: UInt8, _ b: UInt8) -> Bool { a | 0x20 == b }

    /// True for text with `$(NAME)` or `${NAME}` in it.
    private static func holdsVariable(_ text: String) -> Bool {
        // Most texts hold no dollar, and this is the quickest way to see it.
        if text.utf8.withContiguousStorageIfAvailable({ $0.contains(UInt8(ascii: "$")) }) == false { return false }
        var rest = text.utf8[...]
        while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
            rest = rest[rest.index(after: dollar)...]
            guard let open = rest.first, open == UInt8(ascii: "(") || open == UInt8(ascii: "{") else { continue }
            let name = rest.dropFirst().prefix(while: isNameByte)
            let close = open == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
            let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
            if let first = name.first, !isDigit(first), name.endIndex < rest.endIndex, rest[name.endIndex] == close {
                return true
            }
        }
        return false
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension [Node] {
    fileprivate func firstObjection(placeholder: String?) -> (message: String, fix: String)? {
        for node in self {
            if let objection = ValueCheck.objection(to: node.value, placeholder: placeholder) { return objection }
        }
        return nil
    }
}
