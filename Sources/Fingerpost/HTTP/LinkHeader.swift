import FingerpostFiles
import Foundation

/// The links of a header `Link` (RFC 8288 section 3).
package struct LinkHeader {
    /// One link.
    package struct Link {
        /// The link as written in the header.
        package let text: Substring
        /// The address, which may be relative to that of the request.
        package let target: Substring
        /// The relations in lower case, such as `next`.
        let relations: Set<String>

        /// True for the link to the next page of a list.
        package var isNext: Bool { relations.contains("next") }
    }

    package private(set) var links: [Link] = []

    /// - Returns: nil if the header is malformed.
    package init?(_ value: String) {
        var rest = value[...]
        while true {
            rest = Self.skip(" \t,", in: rest)
            if rest.isEmpty { return }
            let start = rest
            guard rest.utf8.first == UInt8(ascii: "<"),
                let (target, after) = Substring(rest.utf8.dropFirst()).cut(at: ">")
            else {
                return nil
            }
            rest = after
            var relations: Set<String>?
            while let parameter = Self.parameter(&rest) {
                guard let (name, value) = parameter else { return nil }
                // Only the first relation counts (RFC 8288 section 3.3).
                if name == "rel", relations == nil {
                    relations = Set(value.lowercased().words(between: " ").map(String.init))
                }
            }
            links.append(
                Link(text: start[..<rest.startIndex], target: target, relations: relations ?? []))
        }
    }

    /// The text after the bytes at its start that are among others.
    private static func skip(_ bytes: String, in text: Substring) -> Substring {
        Substring(text.utf8.drop { bytes.utf8.contains($0) })
    }

    /// Takes the next parameter of a link, with its name in lower case.
    ///
    /// - Returns: nil if there is none; `.some(nil)` if it is malformed.
    private static func parameter(_ rest: inout Substring) -> (name: String, value: String)?? {
        rest = skip(" \t", in: rest)
        if rest.isEmpty || rest.utf8.first == UInt8(ascii: ",") { return nil }
        guard rest.utf8.first == UInt8(ascii: ";") else { return .some(nil) }
        rest = skip(" \t", in: Substring(rest.utf8.dropFirst()))
        let name = rest.prefix(before: "=;,")
        rest = rest[name.endIndex...]
        let key = name.trimmingCharacters(in: .whitespaces).lowercased()
        guard rest.utf8.first == UInt8(ascii: "=") else { return (key, "") }
        rest = skip(" \t", in: Substring(rest.utf8.dropFirst()))
        guard rest.utf8.first == UInt8(ascii: "\"") else {
            let value = rest.prefix(before: ";,")
            rest = rest[value.endIndex...]
            return (key, value.trimmingCharacters(in: .whitespaces))
        }
        var (value, isEscaped): ([UInt8], Bool) = ([], false)
        for (index, byte) in zip(rest.utf8.indices, rest.utf8).dropFirst() {
            if isEscaped || byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                value.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                rest = rest[rest.utf8.index(after: index)...]
                return (key, String(decoding: value, as: UTF8.self))
            }
        }
        return .some(nil)
    }
}
