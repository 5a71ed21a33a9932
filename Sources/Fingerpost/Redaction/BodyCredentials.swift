import FingerpostFiles
package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Finds the values with password-like names in a body. The body can be JSON, lines of JSON, or a form. The body of a
/// request can also be a multipart form.
package struct BodyCredentials {
    package private(set) var found: [String] = []
    /// Caches whether each name is password-like, because most bodies repeat a few names many times.
    private var names: [String: Bool] = [:]
    private let isSecret: (String) -> Bool

    /// Finds the values under names such as `access_token`, which a server issued. Ordinary words are left out, because
    /// the name of a field can also be the key of a message about the field: `{"errors": {"password": "too short"}}`.
    ///
    /// - Parameters:
    ///   - body: the body of a response.
    ///   - largest: the size in bytes of the largest body that is searched.
    package init(response body: Data, largest: Int = Redaction.largestBody) {
        isSecret = SensitiveName.mayHoldIssued
        if body.count <= largest { search(body) }
        found.removeAll { !Redaction.isUnlikelyWord($0) }
    }

    /// - Parameter body: the body of a request, as JSON.
    init(json body: Data) {
        isSecret = SensitiveName.isPassword
        if body.count <= Redaction.largestBody { search(body) }
    }

    init(_ request: URLRequest) {
        isSecret = SensitiveName.isPassword
        guard let body = request.httpBody, body.count <= Redaction.largestBody else { return }
        let type = request.value(forHTTPHeaderField: HTTPHeaders.Name.contentType.rawValue) ?? ""
        if type.lowercased().hasPrefix("multipart/") {
            search(body, inPartsOf: type)
        } else {
            search(body)
        }
    }

    private mutating func search(_ body: Data) {
        if let root = try? JSONReader.read(body, keepsEveryDigit: false) { return search(root) }
        // A body that is not JSON may be a form or lines of JSON, whatever its content type. The lines of a stream of
        // events start with `data:`.
        search(form: body)
        for line in body.split(separator: UInt8(ascii: "\n")) where line.count > 2 {
            let json = line.starts(with: "data:".utf8) ? line.dropFirst("data:".utf8.count) : line
            if let root = try? JSONReader.read(Data(json), keepsEveryDigit: false) { search(root) }
        }
    }

    private mutating func search(_ node: Node, isPassword: Bool = false) {
        switch node.value {
        case .array(let elements): for element in elements { search(element, isPassword: isPassword) }
        case .dictionary(let entries):
            for entry in entries { search(entry.node, isPassword: self.isPassword(entry.key)) }
        case .string(let text) where isPassword: found.append(text)
        // A string can contain JSON.
        case .string(let text) where text.utf8.first == UInt8(ascii: "{"):
            if let inner = try? JSONReader.read(Data(text.utf8), keepsEveryDigit: false) { search(inner) }
        case .integer(let number) where isPassword: found.append("\(number.magnitude)")
        default: return
        }
    }

    private mutating func search(form body: Data) {
        for field in body.split(separator: UInt8(ascii: "&")) {
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { continue }
            if isPassword(Self.text(field[..<equals])) { found.append(Self.text(field[equals...].dropFirst())) }
        }
    }

    /// Decodes a name or a value in a form (WHATWG URL, section 5.1).
    private static func text(_ bytes: Data) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
        return text.replacing("+", with: " ").removingPercentEncoding ?? text
    }

    private mutating func search(_ body: Data, inPartsOf type: String) {
        guard let boundary = type.firstMatch(of: /(?i)boundary="?([^";]+)/)?.1 else { return }
        let (delimiter, blankLine) = (Data("--\(boundary)".utf8), Data("\r\n\r\n".utf8))
        var start = body.range(of: delimiter)?.upperBound
        while let begin = start, let end = body.range(of: delimiter, in: begin..<body.endIndex) {
            start = end.upperBound
            let part = body[begin..<end.lowerBound]
            guard let blank = part.range(of: blankLine) else { continue }
            let head = String(decoding: part[..<blank.lowerBound], as: UTF8.self)
            guard let name = head.firstMatch(of: /\bname="([^"]*)"/)?.1, isPassword(String(name)) else { continue }
            // The line break before a delimiter is part of the delimiter.
            found.append(String(decoding: part[blank.upperBound...].dropLast(2), as: UTF8.self))
        }
    }

    private mutating func isPassword(_ name: String) -> Bool {
        if let known = names[name] { return known }
        let isPassword = isSecret(name)
        names[name] = isPassword
        return isPassword
    }
}
