import Fingerpost
import FingerpostFiles
import Foundation

/// Detects that a list announces its next page without the `Link` header. The loop follows only this header, so the
/// loop would miss the page.
enum UnfollowedPage {
    /// Looks for a next page in the headers of a page that has no `Link` header.
    ///
    /// - Throws: ``/Fingerpost/APIError`` if one of the headers announces a next page.
    @inline(never)
    static func check(_ headers: HTTPHeaders) throws(APIError) {
        let counts = ["x-page", "x-total-pages"].map { name in headers[.init(rawValue: name)].flatMap { Int64($0) } }
        let next = headers.first { isHeader($0.name.rawValue.lowercased()) && !isEmpty($0.value) }
        let flag = headers.first {
            let name = words(of: $0.name.rawValue)
            return isFlag(name.begins(with: "x") ? String(name.dropFirst()) : name) && $0.value.lowercased() == "true"
        }
        let isCounted = counts[0].flatMap { page in counts[1].map { page < $0 } } ?? false
        guard
            let name = next?.name.rawValue ?? (isPart(headers["Content-Range"]) ? "Content-Range" : nil)
                ?? (isCounted ? "X-Total-Pages" : flag?.name.rawValue)
        else { return }
        throw APIError(
            .transport, "the list has more pages, as the header \(name) says, and the server sends no header Link",
            fix: next == nil
                ? "count its pages with by: .number(\"…\") { … }"
                : "send its value with by: .response(\"…\") { $0.headers[\(name.quoted)] }")
    }

    /// Returns true for names such as `X-Next-Page`, `opc-next-page` and `x-ms-continuation`.
    private static func isHeader(_ name: String) -> Bool {
        if name.contains(bytesOf: "continuation") { return true }
        let words = name.parts(between: "-")
        // In a header such as X-RateLimit-Next, `next` means something other than a page.
        return words.indices.contains { index in
            let isFirst = index == 0 || index == 1 && words[0] == "x"
            return index + 1 < words.count
                ? isName(words[index...].joined()) : isFirst && isName(String(words[index]))
        }
    }

    /// Returns true for a `Content-Range` that ends before its size, such as `items 0-1/5` or `0-1/5`.
    private static func isPart(_ range: String?) -> Bool {
        guard let range = range?.words(between: " ").last, let (positions, size) = range.cut(at: "/"),
            let end = positions.cut(at: "-").flatMap({ Int64($0.after) }), let size = Int64(size)
        else { return false }
        return end < size - 1
    }

    /// Looks for a next page in the body of a page that has no `Link` header.
    ///
    /// - Throws: ``/Fingerpost/APIError`` if the body announces a next page.
    @inline(never)
    static func check(_ data: Data) throws(APIError) {
        guard let page = Document.inspect(data),
            // The key can be in an inner object: {"links": {"next": "…"}, "items": […]}.
            let (path, entry) = link(in: page) ?? find(
                in: page, depth: 1, where: { isName($0.key) && text(of: $0) != nil })
                ?? find(in: page, depth: 4, where: isFlag)
        else { return }
        let isAddress =
            ["http://", "https://", "/", "?"].contains { text(of: entry)?.begins(with: $0) == true }
            || ["link", "url", "uri"].contains { entry.key.lowercased().contains(bytesOf: $0) }
        throw APIError(
            .transport, "the list has more pages, as \(path.quoted) says, and the server sends no header Link",
            fix: isAddress
                ? "follow it with by: .url { … }" : "send its cursor with by: .cursor(\"…\") { … }, or use .number")
    }

    /// Returns the address of the next page in a list of links with relations, such as `"link": [{"relation": "next",
    /// "url": "…"}]`.
    private static func link(in page: Node) -> (path: String, entry: Node.Entry)? {
        for entry in page.entries ?? [] where ["link", "links"].contains(entry.key) {
            let next = entry.node.elements?.first { link in ["rel", "relation"].contains { link[$0]?.string == "next" }
            }
            if let next, let address = next.entries?.first(where: { ["href", "url"].contains($0.key) }) {
                return ("\(entry.key).\(address.key)", address)
            }
        }
        return nil
    }

    /// Returns the first matching entry of an object, or of the objects inside it, with the entry's path.
    private static func find(
        in node: Node, depth: Int, where isMatch: (Node.Entry) -> Bool
    ) -> (path: String, entry: Node.Entry)? {
        let entries = node.entries ?? []
        if let entry = entries.first(where: isMatch) { return (entry.key, entry) }
        if depth == 0 { return nil }
        for outer in entries {
            if let (path, entry) = find(in: outer.node, depth: depth - 1, where: isMatch) {
                return ("\(outer.key).\(path)", entry)
            }
        }
        return nil
    }

    /// Returns the address, cursor or number of the next page, or nil if there is none.
    private static func text(of entry: Node.Entry) -> String? {
        let text = (entry.node["href"] ?? entry.node).value.scalarText
        return text.flatMap { isEmpty($0) ? nil : $0 }
    }

    private static func isEmpty(_ text: String) -> Bool { ["", "false", "0", "null"].contains(text.lowercased()) }

    /// Returns true for a key such as `has_more`, `hasMore` or `hasNextPage` whose value is true.
    private static func isFlag(_ entry: Node.Entry) -> Bool {
        guard case .boolean(true) = entry.node.value else { return false }
        return isFlag(words(of: entry.key))
    }

    private static func isFlag(_ name: String) -> Bool {
        ["hasmore", "hasnext"].contains { start in
            ["", "page", "pages", "items", "results"].contains { name == start + $0 }
        }
    }

    private static func words(of key: String) -> String { key.lowercased().filter { $0 != "_" && $0 != "-" } }

    /// Returns true for keys such as `next`, `nextLink`, `@odata.nextLink` and `next_page_url`.
    private static func isName(_ key: String) -> Bool {
        let words = words(of: key)
        let name = words.begins(with: "@odata.") ? words.dropFirst(7) : words[...]
        return name.begins(with: "next")
            && ["", "link", "url", "uri", "href", "token", "cursor", "offset", "marker"].contains {
                name.dropFirst(4) == $0 || name.dropFirst(4) == "page" + $0
            }
    }
}
