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

    /// True for an address of this origin, and for one of the same host that is encrypted, where this origin is not.
    /// The pages of a list keep their credentials there; a redirect drops them at every change of the origin.
    package func includes(_ url: URL) -> Bool {
        let other = Origin(url)
        return other == self
            || other.host == host && scheme == "http" && other.scheme == "https"
                && (port == 80 && other.port == 443 || other.port == port)
    }
}
