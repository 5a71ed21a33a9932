import Foundation

/// Finds what is wrong with single values: what build settings leave behind, URLs that lead nowhere, numbers that are none.
enum ValueCheck {
    /// - Parameter placeholder: shown in the place of a secret value.
    /// - Returns: what is wrong, to be read after the key's name.
    static func problem(of value: Node.Value, placeholder: String?) -> FileProblem? {
        switch value {
        case .string(let text): problem(of: text, placeholder: placeholder)
        case .real(let number) where !number.isFinite:
            FileProblem("is not a finite number", fix: "write a number, or text")
        case .array(let elements):
            elements.firstProblem(placeholder: placeholder)
        case .dictionary(let entries):
            entries.map(\.node).firstProblem(placeholder: placeholder)
        default: nil
        }
    }

    private static func problem(of text: String, placeholder: String?) -> FileProblem? {
        if holdsVariable(text) {
            return FileProblem(
                "holds a variable that was not replaced: \(placeholder ?? text)",
                fix: "write the value, or have the build replace it")
        }
        guard text.utf8.count >= 5, text.utf8.prefix(4).elementsEqual("http".utf8, by: isSameLetter) else { return nil }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        if rest.elementsEqual(":".utf8) {
            return FileProblem(
                "is \"\(text)\" alone; in an .xcconfig file // starts a comment",
                fix: "write \(scheme):/$()/host there, or the URL here")
        }
        guard rest.starts(with: "://".utf8) else { return nil }
        guard URLText.hasValidPort(text) else {
            return FileProblem("has a port that is not in 1...65535", fix: "correct the port, or leave it out")
        }
        guard let url = URL(string: text) else {
            return FileProblem("is not a URL", fix: "escape what cannot stand in one")
        }
        return url.host?.isEmpty ?? true ? FileProblem("is a URL without a host", fix: "write it in full") : nil
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
    fileprivate func firstProblem(placeholder: String?) -> FileProblem? {
        for node in self {
            if let problem = ValueCheck.problem(of: node.value, placeholder: placeholder) { return problem }
        }
        return nil
    }
}
