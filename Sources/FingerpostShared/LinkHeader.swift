import FingerpostFiles

/// The links of a header `Link` (RFC 8288 section 3).
package struct LinkHeader {
    /// One link.
    package struct Link {
        /// The link as written in the header.
        package let text: Substring
        /// The address, which may be relative to that of the request.
        package let target: Substring
        /// True for the link to the next page of a list.
        package let isNext: Bool
    }

    package private(set) var links: [Link] = []

    /// - Returns: nil if the header is malformed.
    package init?(_ value: String) {
        var rest = value[...]
        while true {
            rest = rest.without(leading: " \t,")
            if rest.isEmpty { return }
            let start = rest
            guard rest.utf8.first == UInt8(ascii: "<"),
                let (target, after) = Substring(rest.utf8.dropFirst()).cut(at: ">")
            else {
                return nil
            }
            rest = after
            var relations: String?
            while let (name, value) = HTTPSyntax.parameter(in: &rest) {
                // Only the first relation counts (RFC 8288 section 3.3).
                if name == "rel" { relations = relations ?? value?.lowercased() ?? "" }
            }
            let isNext = relations?.words(between: " ").contains("next") ?? false
            links.append(Link(text: start[..<rest.startIndex], target: target, isNext: isNext))
            rest = rest.without(leading: " \t")
            guard rest.isEmpty || rest.utf8.first == UInt8(ascii: ",") else { return nil }
        }
    }
}
