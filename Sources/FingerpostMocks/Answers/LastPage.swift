import Fingerpost
import FingerpostFiles
import FingerpostShared
import Foundation

/// Prevents endless loops over the pages of a list when one mock answers the requests for all pages.
enum LastPage {
    /// Removes links to the next page from a mock's headers if they lead to the URL of the request.
    static func cut(_ headers: inout [(name: String, value: String)], at url: URL) {
        for place in headers.indices.reversed() where headers[place].name.lowercased() == "link" {
            if let link = link(headers[place].value, at: url) {
                headers[place].value = link
            } else {
                headers.remove(at: place)
            }
        }
    }

    /// Removes a link to the next page from a `Link` header (RFC 8288) if the link leads to the URL of the request. A
    /// mock sends the same link with every page. Without this method, a loop would request the linked page again and
    /// again.
    ///
    /// - Returns: the header without the removed links, or nil if no link remains.
    static func link(_ value: String, at url: URL) -> String? {
        guard let links = WebLink.all(in: value) else { return value }
        let kept = links.filter { link in
            !link.isNext(at: url) || !isSame(URL(string: String(link.target), relativeTo: url), url)
        }
        if kept.count == links.count { return value }
        return kept.isEmpty ? nil : kept.map { String($0.text) }.joined(separator: ", ")
    }

    /// Returns true if two URLs are equal, or if only the order of their query items differs.
    private static func isSame(_ target: URL?, _ url: URL) -> Bool {
        guard let target = target?.absoluteURL else { return false }
        let items = [target, url].map { url in
            Set(url.query(percentEncoded: true)?.parts(between: "&").map(String.init) ?? [])
        }
        return Origin(target) == Origin(url) && target.path(percentEncoded: true) == url.path(percentEncoded: true)
            && items[0] == items[1]
    }
}
