package import FingerpostFiles

extension FileProblem {
    /// A problem at a byte offset in a piece of text.
    init(at offset: Int, in text: UnsafeBufferPointer<UInt8>, _ message: String, fix: String? = nil) {
        let before = text[..<offset]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        self.init(
            path: nil, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: offset - start + 1,
            message: message, fix: fix)
    }

    /// Returns the fix for a syntax error in a text, for example the fix for a file in another format. Returns nil if
    /// the text does not explain the error.
    ///
    /// - Parameter offset: the offset of an error in JSON. Nil for a text that should be a property list.
    static func fix(for text: UnsafeBufferPointer<UInt8>, at offset: Int?) -> String? {
        let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
        let start = text.drop(while: spaces.contains)
        let first = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }.prefix(200), as: UTF8.self).lowercased()
        if first.hasPrefix("version https://git-lfs") { return "run git lfs pull; this is the pointer of Git LFS" }
        if text.split(separator: UInt8(ascii: "\n")).contains(where: { $0.begins(with: "<<<<<<< ") }) {
            return "resolve the merge: the file contains the marks of both sides"
        }
        if first.hasPrefix("<!doctype html") || first.hasPrefix("<html") {
            return "save what the server sends as data; this is a page in HTML"
        }
        guard let offset else {
            if start.first == UInt8(ascii: "{") { return "rename it to .json if it contains JSON" }
            let isPlain = String(decoding: text, as: UTF8.self).contains(/&(?!#|(?:amp|lt|gt|quot|apos);)/)
            return isPlain ? "write &amp; for each & in a text" : nil
        }
        let place = text[offset...]
        if place.begins(with: "//") || place.begins(with: "/*") || place.begins(with: "#") {
            return "remove the comment; JSON has none"
        }
        if place.begins(with: "'") || place.begins(with: "\u{201C}") { return "use straight double quotes" }
        if place.begins(with: "True") || place.begins(with: "False") || place.begins(with: "None") {
            return "write true, false or null"
        }
        if place.begins(with: "NaN") { return "write null; JSON has no NaN" }
        if first.hasPrefix("<?xml") || first.hasPrefix("<plist") {
            return "write JSON; this is XML, such as a property list, whose name ends in .plist"
        }
        let isNamed = first.utf8.first?.isASCIILetter == true && (first.contains(": ") || first.hasSuffix(":"))
        return isNamed || first.hasPrefix("---") ? "write JSON; this looks like YAML" : nil
    }
}

// The kind and the key of a problem. Checks and comparisons set these properties.
extension FileProblem {
    /// The kind of a problem. Each kind is declared by the module whose checks report it. The raw values are used in
    /// reports.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The kind of the problem; nil if the check that reports the problem sets no kind.
    package var kind: Kind? { details.kind.map(Kind.init) }

    /// The path of the key that the problem concerns; nil if the problem concerns no key, or if only the message names
    /// the key.
    package var key: String? { details.key }

    /// Returns a copy of this problem with another severity.
    package func with(_ severity: Severity) -> FileProblem {
        var problem = self
        problem.details.severity = severity
        return problem
    }

    /// Returns a copy of this problem with another kind and key.
    package func of(_ kind: Kind?, key: String? = nil) -> FileProblem {
        var problem = self
        problem.details.kind = kind?.rawValue
        problem.details.key = key
        return problem
    }
}

extension Int {
    /// Returns this number with a noun in the right form: `1 answer`, or `2 answers`.
    package func inWords(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
