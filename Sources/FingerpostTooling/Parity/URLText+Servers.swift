import FingerpostFiles
import Foundation

extension URLText {
    /// The host of a URL in lowercase, with the port if the URL contains one; nil when the text is not a URL with a
    /// host.
    static func authority(of text: String) -> String? {
        guard let url = url(text), let host = url.host, !host.isEmpty else { return nil }
        return host.lowercased() + (url.port.map { ":\($0)" } ?? "")
    }

    /// True when a request to the URL cannot reach a real server: for loopback addresses, and for host names that are
    /// reserved by RFC 2606 (`.invalid`, `.test`, `.example`).
    static func staysHere(_ text: String) -> Bool {
        guard let host = URL(string: text)?.host?.lowercased() else { return true }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if isLoopback(name) || name == "0.0.0.0" || name == "invalid" { return true }
        return [".invalid", ".test", ".example"].contains(where: name.hasSuffix)
    }
}
