package import Foundation

/// The scheme, host and port of a URL (RFC 6454 section 4). Credentials for one origin are not sent to another origin.
package struct Origin: Hashable, Sendable {
    package let scheme: String?
    package let host: String?
    package let port: Int?

    package init(_ url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.host?.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
