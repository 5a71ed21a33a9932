import Fingerpost
import FingerpostFiles
import FingerpostShared
import Foundation

/// Replaces the base URLs in recorded headers by environment keys. As a result, a link in a mock leads to a server of
/// the current environment, and not to the server that was recorded.
struct RelativeAddresses {
    /// The base URLs that are replaced, and their keys.
    private let bases: [(key: String, address: Address)]

    /// - Parameter request: a request to one of the environment's servers. The base URL of this server is replaced
    ///   whatever its key is; other base URLs are replaced only if their keys end in `baseURL`.
    init(_ environment: Environment?, _ request: URLRequest) {
        let sent = request.url.flatMap { Address($0.absoluteString[...]) }
        bases = (environment?.baseURLs ?? [:])
            .filter { environment?.isSecret($0.key) == false }
            .compactMap { key, url in Address(url.prefix[...]).map { (key, $0) } }
            .filter { BaseURLKey.isNamed($0.key) || sent?.rest(below: $0.address) != nil }
            // The longest base URL comes first. Among equal base URLs, the shortest key comes first.
            .sorted {
                ($1.address.rest.utf8.count, $0.key.utf8.count, $0.key) < (
                    $0.address.rest.utf8.count, $1.key.utf8.count, $1.key
                )
            }
    }

    /// Returns a header with `{env.<key>}` in place of base URLs. The header `Location` contains one address. The
    /// header `Link` contains addresses in angle brackets and in `anchor`. Other headers are returned unchanged.
    func header(_ name: HTTPHeaders.Name, _ value: String) -> String {
        switch name {
        case .location: relative(value[...])
        case .link:
            (WebLink.all(in: value) ?? []).reduce(value) { header, link in
                header.replacing(bytesOf: "<\(link.target)>", with: "<\(relative(link.target))>")
                    .replacing(bytesOf: "\"\(link.anchor ?? "")\"", with: "\"\(relative((link.anchor ?? "")[...]))\"")
            }
        default: value
        }
    }

    /// Returns a route's path without its query. If the path is an absolute URL that starts with a base URL, returns
    /// only the part after the base URL.
    func path(of path: RoutePath) -> Substring {
        let below = path.isAbsolute ? place(of: path.text[...]) : nil
        return below?.rest.prefix(before: "?#") ?? path.pathAlone
    }

    private func relative(_ text: Substring) -> String {
        place(of: text).map { "\(LayeredEnvironment.keyStart)\($0.key)}\($0.rest)" } ?? String(text)
    }

    /// If a text starts with a base URL, returns the key of the base URL and the rest of the text. Otherwise returns
    /// nil.
    private func place(of text: Substring) -> (key: String, rest: Substring)? {
        guard let address = Address(text) else { return nil }
        for (key, base) in bases {
            if let rest = address.rest(below: base) { return (key, rest) }
        }
        return nil
    }
}

/// An absolute URL in two parts: the origin, and everything after the authority.
private struct Address {
    let origin: Origin
    let rest: Substring

    init?(_ text: Substring) {
        guard let mark = text.firstRange(ofBytes: "://") else { return nil }
        let authority = text[mark.upperBound...].prefix(before: "/?#")
        // Only the text up to the end of the authority is parsed as a URL. After the authority, some servers write
        // characters that a URL must escape, as in `?page[number]=2`.
        guard let url = URLText.url(String(text[..<authority.endIndex])) else { return nil }
        origin = Origin(url)
        rest = text[authority.endIndex...]
    }

    /// Returns the text after a base URL, or nil if the address does not start with the base URL.
    func rest(below base: Address) -> Substring? {
        guard origin == base.origin, rest.utf8.starts(with: base.rest.utf8) else { return nil }
        let end = rest.utf8.index(rest.startIndex, offsetBy: base.rest.utf8.count)
        guard end < rest.endIndex, !"/?#".utf8.contains(rest.utf8[end]) else { return rest[end...] }
        return nil
    }
}
