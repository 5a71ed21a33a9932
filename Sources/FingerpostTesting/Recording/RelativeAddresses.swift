import Fingerpost
import FingerpostFiles
import FingerpostShared
import Foundation

/// Writes the addresses in recorded headers relative to the environment's base URLs, so that a mock leads to the server
/// of the environment that answers and not back to the recorded one.
struct RelativeAddresses {
    /// The base URLs that addresses can be below, and the key of each.
    private let bases: [(key: String, address: Address)]

    /// - Parameter request: a request to one of the environment's servers, whose base URL may have any key.
    init(_ environment: Environment?, _ request: URLRequest) {
        let sent = request.url.flatMap { Address($0.absoluteString[...]) }
        bases = (environment?.baseURLs ?? [:])
            .filter { environment?.isSecret($0.key) == false }
            .compactMap { key, url in Address(url.prefix[...]).map { (key, $0) } }
            .filter { BaseURLKey.isNamed($0.key) || sent?.rest(below: $0.address) != nil }
            // The most exact base URL comes first. Of equal ones, it is the one with the shortest key.
            .sorted {
                ($1.address.rest.utf8.count, $0.key.utf8.count, $0.key) < (
                    $0.address.rest.utf8.count, $1.key.utf8.count, $1.key
                )
            }
    }

    /// A header in which `{env.<key>}` replaces the base URLs. In `Link`, the addresses are in angle brackets
    /// and in `anchor`;
    /// `Location` is an address. Other headers are returned unchanged.
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

    /// The path of a route, without the query. Of an absolute URL, it is the path below a base URL, or else that of the
    /// URL.
    func path(of path: RoutePath) -> Substring {
        let below = path.isAbsolute ? place(of: path.text[...]) : nil
        return below?.rest.prefix(before: "?#") ?? path.pathAlone
    }

    private func relative(_ text: Substring) -> String {
        place(of: text).map { "\(LayeredEnvironment.keyStart)\($0.key)}\($0.rest)" } ?? String(text)
    }

    /// The base URL that an address is below, and the rest of the address; nil for any other text.
    private func place(of text: Substring) -> (key: String, rest: Substring)? {
        guard let address = Address(text) else { return nil }
        for (key, base) in bases {
            if let rest = address.rest(below: base) { return (key, rest) }
        }
        return nil
    }
}

/// An absolute URL, divided after its authority.
private struct Address {
    let origin: Origin
    let rest: Substring

    init?(_ text: Substring) {
        guard let mark = text.firstRange(ofBytes: "://") else { return nil }
        let authority = text[mark.upperBound...].prefix(before: "/?#")
        // Servers also write characters after the authority that a URL must escape, as in `?page[number]=2`.
        guard let url = URLText.url(String(text[..<authority.endIndex])) else { return nil }
        origin = Origin(url)
        rest = text[authority.endIndex...]
    }

    /// The text after a base URL; nil for an address that is not below it.
    func rest(below base: Address) -> Substring? {
        guard origin == base.origin, rest.utf8.starts(with: base.rest.utf8) else { return nil }
        let end = rest.utf8.index(rest.startIndex, offsetBy: base.rest.utf8.count)
        guard end < rest.endIndex, !"/?#".utf8.contains(rest.utf8[end]) else { return rest[end...] }
        return nil
    }
}
