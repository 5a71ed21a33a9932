import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as a `curl` command for a shell, with `$TOKEN` in place of each secret.
struct CurlCommand: Sendable {
    private let request: URLRequest
    private let redactors: [SecretRedactor]

    /// The largest body that is part of the command, in bytes. A larger one is read from the file `body`.
    private static let largestBody = 65_536

    /// - Parameter redactor: removes the secrets that are not part of the request, such as those of an environment.
    init(_ request: URLRequest, _ redactor: SecretRedactor) {
        self.request = request
        redactors = [SecretRedactor(credentials: Redaction.credentials(of: request)), redactor]
    }

    var text: String {
        let url = request.url?.absoluteString ?? ""
        let method = request.httpMethod ?? "GET"
        var words = ["curl"]
        switch method {
        case "GET": break
        case "HEAD": words.append("--head")
        default: words += ["-X", quoted(method)]
        }
        // curl gives brackets and braces in URLs a meaning of their own.
        if url.utf8.contains(where: "[]{}".utf8.contains) { words.append("--globoff") }
        let headers = (request.allHTTPHeaderFields ?? [:]).ordered { $0.key < $1.key }
        for (name, value) in headers { words += ["-H", quoted(header(name, value))] }
        words += body ?? []
        words.append(quoted(Redaction.url(url)))
        return words.joined(separator: " ")
    }

    private func header(_ name: String, _ value: String) -> String {
        if value.isEmpty { return "\(name);" }
        // A terminal could act on a control character when the line is pasted.
        guard SensitiveName.isSensitive(name) else { return "\(name): \(value.printable)" }
        let scheme = value.prefix(before: " ")
        let isScheme =
            scheme.endIndex < value.endIndex && ["basic", "bearer", "digest", "token"].contains(scheme.lowercased())
        return "\(name): " + (isScheme ? "\(scheme) " : "") + SensitiveName.placeholder
    }

    private var body: [String]? {
        if request.httpBodyStream != nil { return ["--data-binary", "@body"] }
        guard let data = request.httpBody, !data.isEmpty else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard data.count <= Self.largestBody, !text.unicodeScalars.contains(where: Self.actsOnTerminal),
            text.utf8.elementsEqual(data), Redaction.unsearched(request) == nil
        else { return ["--data-binary", "@body"] }
        return ["--data-raw", quoted(text)]
    }

    /// True for control characters other than a tab or a line break, and for those that change the direction of text or
    /// end a line.
    private static func actsOnTerminal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The text as one word of a shell, in which `$TOKEN` is replaced.
    private func quoted(_ text: String) -> String {
        let shown = redactors.reduce(text) { $1.redact($0) }
        // By scalars: a quote can be one `Character` with a mark beside it, and would then end the word.
        let placeholder = /<redacted>|<secret [^>]*>/.matchingSemantics(.unicodeScalar)
        let word = shown.split(separator: placeholder, omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "'" + $0.parts(between: "'").joined(separator: "'\\''") + "'" }
            .joined(separator: "\"$TOKEN\"")
        return word.isEmpty ? "''" : word
    }
}
