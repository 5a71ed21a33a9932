import FingerpostFiles
import Foundation

extension URLText {
    /// Where a URL leads: its host in lower case, and its port if it names one.
    static func authority(of text: String) -> String? {
        guard let url = url(text), let host = url.host, !host.isEmpty else { return nil }
        return host.lowercased() + (url.port.map { ":\($0)" } ?? "")
    }

    /// True when a request to the URL cannot leave this machine: loopback addresses, and the names that RFC 2606 keeps free.
    static func staysHere(_ text: String) -> Bool {
        guard let host = URL(string: text)?.host?.lowercased() else { return true }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if isLoopback(name) || name == "0.0.0.0" || name == "invalid" { return true }
        return [".invalid", ".test", ".example"].contains(where: name.hasSuffix)
    }
}
