import FingerpostFiles
import Foundation

/// The `User-Agent` of this process (RFC 9110 section 10.1.5): `App/1.2 Fingerpost/0.1.0`.
enum UserAgent {
    static let standard = text(
        name: Bundle.main.infoDictionary?["CFBundleName"] as? String ?? ProcessInfo.processInfo.processName,
        version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String)

    private static let version = "0.1.0"

    /// - Parameters:
    ///   - name: the app's name. Characters that a token cannot contain become hyphens.
    ///   - version: the app's version; nil if it is not known.
    static func text(name: String, version: String?) -> String {
        let app = [name, version].compactMap { $0.map(token) }.filter { !$0.isEmpty }.joined(separator: "/")
        return [app, "Fingerpost/\(Self.version)"].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func token(_ text: String) -> String {
        String(text.map { HTTPSyntax.isToken(String($0)) ? $0 : "-" })
    }
}
