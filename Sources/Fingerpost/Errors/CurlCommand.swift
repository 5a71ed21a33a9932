import FingerpostFiles
import Foundation

/// A request as a `curl` command. Secrets are replaced by variables: `$TOKEN` for the credential of `Authorization`,
/// and otherwise a variable with the name of the secret, such as `$API_KEY`.
struct CurlCommand {
    /// The maximum size in bytes of a body in the command. A larger body is read from the file `body`.
    private static let largestBody = 65_536

    /// The command as one line.
    let text: String

    /// - Parameter secrets: the secrets of the call and of the request.
    init(_ request: URLRequest, _ secrets: CallSecrets) {
        let url = request.url?.absoluteString ?? ""
        let quoted = { (text: String) in Self.quoted(secrets.hide(text)) }
        var words = ["curl"]
        switch request.httpMethod ?? "GET" {
        case "GET": break
        case "HEAD": words.append("--head")
        case let method: words += ["-X", quoted(method)]
        }
        // Without this option, curl interprets brackets and braces in URLs.
        if url.hasAny(of: "[]{}") { words.append("--globoff") }
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).ordered(by: { $0.key < $1.key }) {
            words += ["-H", quoted(value.isEmpty ? "\(name);" : "\(name): \(Self.shown(value, of: name))")]
        }
        if let text = Self.text(of: request) {
            let known = secrets.hide(text)
            words += ["--data-raw", Self.quoted(request.isForm ? Redaction.form(known) : secrets.withoutNamed(text))]
        } else if request.httpBodyStream != nil || request.httpBody?.isEmpty == false {
            words += ["--data-binary", "@body"]
        }
        text = (words + [quoted(Redaction.url(url))]).joined(separator: " ")
    }

    /// Returns a header's value for the command. If the value is a credential, only its scheme is kept.
    private static func shown(_ value: String, of name: String) -> String {
        guard HTTPHeaders.Field(.init(rawValue: name), value).isSensitive else { return NamedValues.hidden(in: value) }
        let scheme = value.cut(at: " ")?.before ?? ""
        return (SensitiveName.schemes.contains(scheme.lowercased()) ? "\(scheme) " : "") + SensitiveName.placeholder
    }

    /// Returns the body as text. Returns nil if the body is not text, is too large, or could control a terminal into
    /// which the command is pasted.
    private static func text(of request: URLRequest) -> String? {
        guard let data = request.httpBody, !data.isEmpty, data.count <= largestBody, let text = data.text else {
            return nil
        }
        return actsOnTerminal(text) ? nil : text
    }

    /// Returns true if a text contains control characters other than tabs and line breaks.
    private static func actsOnTerminal(_ text: String) -> Bool {
        let words = text.words(between: "\t\r\n").joined()
        return words.printable != words
    }

    /// Returns the text as one word of a shell, with variables in place of the secrets.
    private static func quoted(_ text: String) -> String {
        // Scalars are compared, because a quote and a combining mark form one `Character`. A search for characters
        // would miss this quote, which ends the word in the shell.
        let placeholder = /<redacted>|<secret ([^<>]*)>/.matchingSemantics(.unicodeScalar)
        var (word, end) = ("", text.startIndex)
        for match in text.matches(of: placeholder) {
            word += literal(text[end..<match.range.lowerBound])
            word += "\"$" + variable(match.1.map(String.init) ?? name(before: text[..<match.range.lowerBound])) + "\""
            end = match.range.upperBound
        }
        word += literal(text[end...])
        return word.isEmpty ? "''" : word
    }

    private static func literal(_ text: Substring) -> String {
        if text.isEmpty { return "" }
        if !actsOnTerminal(String(text)) { return "'" + text.parts(between: "'").joined(separator: "'\\''") + "'" }
        // Bash and zsh read octal escapes.
        return "$'" + text.utf8.map { byte in "\\" + String(Int(byte) + 512, radix: 8).dropFirst() }.joined() + "'"
    }

    /// Returns the name before a secret: the name of its header, query item or key, as in `X-Api-Key: `, `api_key=` and
    /// `"apiKey":"`.
    private static func name(before text: Substring) -> String {
        let end = String(String.UnicodeScalarView(text.unicodeScalars.suffix(100)))
        let bytes = Array((end.removingPercentEncoding ?? end).utf8)
        if bytes.last == UInt8(ascii: ">"), let tag = bytes.lastIndex(of: UInt8(ascii: "<")) {
            let element = bytes[(tag + 1)...].prefix { !$0.isOne(of: " >") }
            return String(decoding: element, as: UTF8.self).words(between: ":").last.map(String.init) ?? ""
        }
        guard let sign = bytes.lastIndex(where: { $0.isOne(of: ":=") }) else { return "" }
        let between = String(decoding: bytes[(sign + 1)...], as: UTF8.self).words(between: " \"'\\").joined()
        return between.isEmpty || SensitiveName.schemes.contains(between.lowercased())
            ? NameBefore(sign, in: bytes).text : ""
    }

    /// Returns the variable for a secret with the given name, or `TOKEN` if the name is empty or cannot be a variable.
    /// Each name has its own variable, so that the user can set several secrets.
    private static func variable(_ name: String) -> String {
        let variable = EnvironmentVariables.snakeCase(
            name.lowercased().begins(with: "x-") ? name.dropFirst(2) : name[...])
        let isWord = variable.hasOnly { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
        guard isWord, variable.utf8.first?.isASCIILetter == true, variable != "AUTHORIZATION" else { return "TOKEN" }
        // Avoid the names of the shell's own variables, such as `PATH` and `PWD`.
        let isOwn = variable == "PWD" || !SensitiveName.isHeader(name)
        return isOwn ? variable + "_TOKEN" : variable
    }
}
