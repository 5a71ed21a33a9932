package import FingerpostFiles
import Foundation

extension URLText {
    /// The URL's host in lowercase, followed by the port if it is not the default one; nil if the text is not a URL
    /// with a host. It is the same for all spellings of a server.
    package static func authority(of text: String) -> String? {
        guard let url = url(text), let host = url.host?.lowercased(), !host.isEmpty else { return nil }
        // A dot at the end of a name says that it is complete.
        let name = host.ends(with: ".") ? host.withoutEnd(".") : host
        let isDefault =
            switch url.scheme?.lowercased() {
            case "https", "wss": url.port == 443
            case "http", "ws": url.port == 80
            default: false
            }
        return name + (isDefault ? "" : url.port.map { ":\($0)" } ?? "")
    }

    /// True if a request to the URL cannot reach a real server, because its host is a loopback address or a host name
    /// that RFC 2606 reserves (`.invalid`, `.test`, `.example`, `.localhost`).
    static func staysHere(_ text: String) -> Bool {
        guard let host = URL(string: text)?.host?.lowercased() else { return true }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if isLoopback(name) || name == "0.0.0.0" || name == "invalid" { return true }
        return [".invalid", ".test", ".example", ".localhost"].contains(where: name.hasSuffix)
    }
}
