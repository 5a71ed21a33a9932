import Fingerpost
import FingerpostFiles
import Foundation

/// Finds the values with password-like names in a body. The body can be JSON, lines of JSON, or a form. The body of a
/// request can also be a multipart form.
struct BodyCredentials {
    /// A body that was not searched.
    private enum Rest {
        case stream
        case multipart
        case large(Data)
        case invalidJSON(Data)
    }

    private(set) var found: [String] = []
    private var rest: Rest?
    /// Caches whether each name is password-like, because most bodies repeat a few names many times.
    private var names = [String: Bool]()
    private let isSecret: (String) -> Bool

    /// Finds the values under names such as `access_token`, which a server issued. Ordinary words are left out, because
    /// the name of a field can also be the key of a message about the field: `{"errors": {"password": "too short"}}`.
    ///
    /// - Parameters:
    ///   - body: the body of a response.
    ///   - type: the value of `Content-Type`; nil if the response has none.
    ///   - largest: the size in bytes of the largest body that is searched.
    init(response body: Data, type: String?, largest: Int = Credentials.largestBody) {
        isSecret = SensitiveName.mayHoldIssued
        search(body, type.map(MediaType.init(contentType:)), largest)
        found.removeAll { !Credentials.isUnlikelyWord($0) }
    }

    /// - Parameter body: the body of a request, as JSON.
    init(json body: Data) {
        isSecret = SensitiveName.isPassword
        search(body, MediaType(contentType: "application/json"), Credentials.largestBody)
    }

    init(_ request: URLRequest) {
        isSecret = SensitiveName.isPassword
        let text = request.value(forHTTPHeaderField: HTTPHeaders.Name.contentType.rawValue)
        let type = text.map(MediaType.init(contentType:))
        if request.httpBodyStream != nil, Self.hasNames(type) { rest = .stream }
        guard let body = request.httpBody else { return }
        if let text, type?.isMultipart == true, body.count <= Credentials.largestBody {
            search(body, inPartsOf: text)
        } else {
            search(body, type, Credentials.largestBody)
        }
    }

    /// Why the body may contain a secret that is not in ``found``, to follow `the body`; nil for a body that was
    /// searched, and for one that contains no name of a secret.
    var unsearched: String? {
        var names = self
        switch rest {
        case .stream?: return "is a stream, which is not searched for secrets"
        case .multipart?: return "is a multipart body that cannot be read, so it is not searched for secrets"
        case .large(let body)? where body.count > Self.largestScan || names.hasSecretName(in: body):
            return "of \(body.count) bytes is too large to be searched for secrets"
        case .invalidJSON(let body)? where names.hasSecretName(in: body, isAnywhere: true):
            return "is not JSON that can be searched for secrets, and has the name of a secret"
        default: return nil
        }
    }

    private mutating func search(_ body: Data, _ type: MediaType?, _ largest: Int) {
        guard body.count <= largest else {
            if Self.hasNames(type) || Self.startsLikeJSON(body) { rest = .large(body) }
            return
        }
        if Self.isBinary(body, type) { return }
        if let root = Document.inspect(body) { return search(root, of: body) }
        // A body that is not JSON may be a form or lines of JSON, whatever its content type. The lines of a stream of
        // events start with `data:`.
        let bytes = Array(body)
        search(form: bytes)
        var isJSON = true
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.count > 2 {
            let json = Data(line.begins(with: "data:") ? line.dropFirst("data:".utf8.count) : line)
            if let root = Document.inspect(json) {
                search(root, of: json)
            } else {
                isJSON = false
                // A line of text, or a comment of a stream.
                found += ForeignText.values(in: Array(line), named: isSecret)
            }
        }
        if !isJSON, type?.isJSON == true || Self.startsLikeJSON(body) { rest = .invalidJSON(body) }
    }

    /// - Parameter json: the text that the node was read from.
    private mutating func search(_ root: Node, of json: Data) {
        root.visit(false) { node, entry, isInPassword in
            let isPassword = isInPassword || entry.map { self.isPassword($0.key) } ?? false
            search(scalar: node, of: json, isPassword: isPassword)
            return isPassword
        }
    }

    private mutating func search(scalar node: Node, of json: Data, isPassword: Bool) {
        switch node.value {
        case .string(let text) where isPassword: found.append(text)
        // A string can contain JSON.
        case .string(let text) where Self.startsLikeJSON(text.utf8):
            let json = Data(text.utf8)
            if let inner = Document.inspect(json) {
                search(inner, of: json)
            } else if json.contains(UInt8(ascii: "\"")), hasSecretName(in: json) {
                rest = .invalidJSON(json)
            }
        case .integer(let number) where isPassword: found.append("\(number.magnitude)")
        case .real(let number) where isPassword:
            found.append("\(number.magnitude)")
            // An integer of more than 64 bits is read as a real number, which lacks digits.
            if let offset = node.offset { found.append(String(json.number(at: offset).drop { $0 == "-" })) }
        default: return
        }
    }

    private mutating func search(form body: [UInt8]) {
        for field in body.split(separator: UInt8(ascii: "&")) {
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = Self.text(field[equals...].dropFirst())
            if isPassword(Self.text(field[..<equals])) {
                found.append(value)
            } else if Self.startsLikeJSON(value.utf8) {
                search(Node(.string(value)), of: Data())
            }
        }
    }

    /// Decodes a name or a value in a form (WHATWG URL, section 5.1).
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
        return text.parts(between: "+").joined(separator: " ").removingPercentEncoding ?? text
    }

    private mutating func search(_ body: Data, inPartsOf type: String) {
        // What is not read to its end is not searched.
        rest = .multipart
        let parameter = /(?i)boundary="?([^";]+)/.matchingSemantics(.unicodeScalar)
        guard let boundary = type.firstMatch(of: parameter)?.1 else { return }
        let (delimiter, blankLine) = (Data("--\(boundary)".utf8), Data("\r\n\r\n".utf8))
        let field = /(?i)\bname="?([^";\r\n]*)/.matchingSemantics(.unicodeScalar)
        var start = body.range(of: delimiter)?.upperBound
        while let begin = start, let end = body.range(of: delimiter, in: begin..<body.endIndex) {
            start = end.upperBound
            let part = body[begin..<end.lowerBound]
            guard let blank = part.range(of: blankLine) else { return }
            let head = part[..<blank.lowerBound].text
            // The line break before a delimiter is part of the delimiter.
            let content = part[blank.upperBound...].dropLast(2)
            if let name = head.firstMatch(of: field)?.1, isPassword(String(name)) {
                found.append(content.text)
            } else if Self.startsLikeJSON(content) {
                search(Node(.string(content.text)), of: content)
            }
        }
        if let start, body[start...].begins(with: "--") {
            if case .multipart? = rest { rest = nil }
        }
    }

    private mutating func isPassword(_ name: String) -> Bool {
        if let known = names[name] { return known }
        let isPassword = isSecret(name)
        names[name] = isPassword
        return isPassword
    }

    // MARK: Names

    /// The size in bytes of the largest body in which the names are read. Reading names takes a fraction of the time of
    /// a search.
    private static let largestScan = 8 << 20

    /// False for a type whose bodies contain no names that are searched for, such as an image.
    private static func hasNames(_ type: MediaType?) -> Bool {
        guard let type else { return true }
        return type.isJSON || type.isMultipart || type.rawValue == "application/x-www-form-urlencoded"
    }

    /// True for a body that is not text, such as an image. Text in UTF-16 has zeros too, and decoders read JSON in
    /// UTF-16 whatever its content type is, so a body that starts like JSON is not binary.
    private static func isBinary(_ body: Data, _ type: MediaType?) -> Bool {
        guard let type, !hasNames(type), !type.rawValue.begins(with: "text/"), !startsLikeJSON(body) else {
            return false
        }
        return body.contains(0) && String(data: body, encoding: .utf8) == nil
    }

    /// Those of UTF-8 and UTF-16.
    private static let byteOrderMarks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]

    private static func startsLikeJSON(_ body: some Collection<UInt8>) -> Bool {
        let mark = byteOrderMarks.first { body.starts(with: $0) }
        let text = body.dropFirst(mark?.count ?? 0)
        return text.first { $0 > 0x20 }.map { "{[".utf8.contains($0) } ?? false
    }

    /// True if the name of a secret occurs in a body.
    ///
    /// - Parameter isAnywhere: false if only a name before a colon or an equals sign counts, as in JSON and in forms.
    ///   In broken JSON, anything can stand between a name and its value.
    private mutating func hasSecretName(in body: Data, isAnywhere: Bool = false) -> Bool {
        // The names of a multipart form stand elsewhere, and a zero is part of text that is not UTF-8.
        if body.begins(with: "--") || body.contains(0) { return true }
        return body.withUnsafeBytes { bytes in
            for index in bytes.indices {
                var end = index
                if bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: "=") {
                    while end > 0, bytes[end - 1] <= 0x20 || "\"'\\]".utf8.contains(bytes[end - 1]) { end -= 1 }
                    // The name in `user%5Bpassword%5D=` is in escaped brackets.
                    if end > 3, bytes[(end - 3)..<end].elementsEqual("%5D".utf8) { end -= 3 }
                } else if !isAnywhere || Self.isOfName(bytes[index]) {
                    continue
                }
                var start = end
                while start > 0, end - start < 64, Self.isOfName(bytes[start - 1]) { start -= 1 }
                guard start < end else { continue }
                // A name can contain an escape: `\u0074oken`.
                let isEscaped = start > 0 && bytes[start - 1] == UInt8(ascii: "\\") && bytes[start] == UInt8(ascii: "u")
                if isEscaped || isPassword(String(decoding: bytes[start..<end], as: UTF8.self)) { return true }
            }
            return false
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit || "-._".utf8.contains(byte)
    }
}

extension MediaType {
    fileprivate var isMultipart: Bool { rawValue.begins(with: "multipart/") }
}
