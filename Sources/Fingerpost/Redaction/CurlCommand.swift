import FingerpostFiles
import Foundation

/// A request as a `curl` command for a shell, with a variable in place of each secret: `$TOKEN` for the credential of
/// `Authorization`, and others by the name of the secret, such as `$API_KEY`.
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
        if url.hasAny(of: "[]{}") { words.append("--globoff") }
        let headers = (request.allHTTPHeaderFields ?? [:]).ordered { $0.key < $1.key }
        for (name, value) in headers { words += ["-H", quoted(header(name, value))] }
        words += body ?? []
        words.append(quoted(Redaction.url(url)))
        return words.joined(separator: " ")
    }

    private func header(_ name: String, _ value: String) -> String {
        if value.isEmpty { return "\(name);" }
        guard SensitiveName.isSensitive(name) else { return "\(name): \(value)" }
        let scheme = value.prefix(before: " ")
        let isScheme =
            scheme.endIndex < value.endIndex && ["basic", "bearer", "digest", "token"].contains(scheme.lowercased())
        return "\(name): " + (isScheme ? "\(scheme) " : "") + SensitiveName.placeholder
    }

    private var body: [String]? {
        if request.httpBodyStream != nil { return ["--data-binary", "@body"] }
        guard let data = request.httpBody, !data.isEmpty else { return nil }
        let text = data.text
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

    /// The text as one word of a shell, in which the variables are replaced.
    private func quoted(_ text: String) -> String {
        let shown = redactors.reduce(text) { $1.redact($0) }
        // By scalars: a quote can be one `Character` with a mark beside it, and would then end the word.
        let placeholder = /<redacted>|<secret ([^>]*)>/.matchingSemantics(.unicodeScalar)
        var (word, end) = ("", shown.startIndex)
        for match in shown.matches(of: placeholder) {
            let before = shown[..<match.range.lowerBound]
            word += Self.literal(shown[end..<match.range.lowerBound])
            word += "\"$" + Self.variable(match.1 ?? Self.name(before: before)) + "\""
            end = match.range.upperBound
        }
        word += Self.literal(shown[end...])
        return word.isEmpty ? "''" : word
    }

    private static func literal(_ text: Substring) -> String {
        if text.isEmpty { return "" }
        guard text.unicodeScalars.contains(where: actsOnTerminal) else {
            return "'" + text.parts(between: "'").joined(separator: "'\\''") + "'"
        }
        // A terminal could act on the character when the line is pasted. Bash and zsh read its bytes in octal.
        return text.unicodeScalars.reduce(into: "$'") { word, scalar in
            if actsOnTerminal(scalar) {
                for byte in String(scalar).utf8 { word += "\\" + String(Int(byte) + 512, radix: 8).dropFirst() }
            } else {
                if "'\\".unicodeScalars.contains(scalar) { word += "\\" }
                word.unicodeScalars.append(scalar)
            }
        } + "'"
    }

    // MARK: Variables

    /// The name before a secret: that of its header, item or key, as in `X-Api-Key: `, `api_key=` and `"apiKey":"`.
    private static func name(before text: Substring) -> Substring? {
        let end = String(String.UnicodeScalarView(text.unicodeScalars.suffix(100)))
        // text-by-bytes: it matches scalars
        let name = /([A-Za-z][A-Za-z0-9_.\-]*)[\]"'\\]*\s*[:=]\s*["'\\]*(?:(?:basic|bearer|digest|token)\s+)?$/
            .ignoresCase().matchingSemantics(.unicodeScalar)
        return (end.removingPercentEncoding ?? end).firstMatch(of: name)?.1
    }

    /// The variable for a secret with a name; `TOKEN` for one without. Secrets with several names can be given to the
    /// shell one by one.
    private static func variable(_ name: Substring?) -> String {
        guard let name, !name.lowercased().isSame(as: "authorization") else { return "TOKEN" }
        let short = name.lowercased().begins(with: "x-") ? name.dropFirst(2) : name
        let variable = EnvironmentVariables.snakeCase(short)
        let word = /[A-Z][A-Z0-9_]*/.matchingSemantics(.unicodeScalar)
        guard variable.wholeMatch(of: word) != nil else { return "TOKEN" }
        // The shell has variables of its own, such as `PATH` and `PWD`.
        let isOwn = variable.isSame(as: "PWD") || !SensitiveName.isSensitive(String(name))
        return isOwn ? variable + "_TOKEN" : variable
    }
}
