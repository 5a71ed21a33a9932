import FingerpostFiles
package import Foundation

/// A link of the `Link` header (RFC 8288 section 3).
package struct WebLink {
    /// The link as written in the header.
    package let text: Substring
    /// The address, which may be relative to the address of the request.
    package let target: Substring
    /// The address of the resource that the link belongs to. Nil if the link belongs to the resource of the response.
    package let anchor: String?
    private let relations: [Substring]

    /// True if the link has at least one relation.
    package var hasRelation: Bool { !relations.isEmpty }

    /// Returns true if the link leads from the resource at a URL to the next page of a list (RFC 8288 section 3.2).
    ///
    /// - Parameter url: the URL of the response. Nil if the URL is unknown. If nil, a link with any anchor is accepted.
    package func isNext(at url: URL?) -> Bool {
        guard relations.contains("next") else { return false }
        // Foundation cannot resolve an empty text.
        guard let url, let anchor, !anchor.isEmpty else { return true }
        return URL(string: anchor, relativeTo: url)?.absoluteString == url.absoluteString
    }

    /// Returns the links in a header, or nil for a malformed header.
    package static func all(in header: String) -> [WebLink]? {
        var (links, rest): ([WebLink], Substring) = ([], header[...])
        while true {
            rest = rest.without(leading: " \t,")
            if rest.isEmpty { return links }
            let start = rest
            guard rest.utf8.first == UInt8(ascii: "<"),
                let (target, after) = Substring(rest.utf8.dropFirst()).cut(at: ">")
            else {
                return nil
            }
            rest = after
            var (relations, anchor): (String?, String?)
            while let (name, value) = HTTPSyntax.parameter(in: &rest) {
                // Only the first relation counts (RFC 8288 section 3.3).
                if name == "rel" { relations = relations ?? value?.lowercased() ?? "" }
                if name == "anchor" { anchor = anchor ?? value }
            }
            links.append(
                WebLink(
                    text: start[..<rest.startIndex], target: target, anchor: anchor,
                    relations: relations?.words(between: " ") ?? []))
            rest = rest.without(leading: " \t")
            guard rest.isEmpty || rest.utf8.first == UInt8(ascii: ",") else { return nil }
        }
    }
}
