/// Parses a `multipart/form-data` body by RFC 2046 section 5.1 and RFC 7578. Shares no code with the writer.
package enum MultipartParser {
    package struct Part: Equatable, Sendable, CustomStringConvertible {
        /// By lower-case name.
        package var headers: [String: String]
        /// The text between the quotes, verbatim.
        package var name: String?
        package var fileName: String?
        package var body: Data

        package var contentType: String? { headers["content-type"] }
        package var description: String {
            "\(name ?? "–") \(fileName ?? "–") \(contentType ?? "–") \(body.count) bytes"
        }
    }

    package struct Malformed: Error, CustomStringConvertible {
        package let description: String
    }

    package static func parts(of body: Data, contentType: String?) throws -> [Part] {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data;"),
            let boundary = parameters(of: contentType)["boundary"], !boundary.isEmpty
        else { throw Malformed(description: "no boundary in \(contentType ?? "no content type")") }
        let delimiter = Data("\r\n--\(boundary)".utf8)
        // The first delimiter can be at the start of the body, without a line break before it.
        let bytes = Data("\r\n".utf8) + body
        var parts: [Part] = []
        guard var position = bytes.range(of: delimiter)?.upperBound else {
            throw Malformed(description: "no delimiter")
        }
        while true {
            if bytes[position...].starts(with: Data("--".utf8)) {
                guard Data(bytes[(position + 2)...]) == Data("\r\n".utf8) else {
                    throw Malformed(description: "content after the final delimiter")
                }
                return parts
            }
            guard bytes[position...].starts(with: Data("\r\n".utf8)) else {
                throw Malformed(description: "a delimiter without a line of its own")
            }
            guard let end = bytes.range(of: delimiter, in: position..<bytes.endIndex) else {
                throw Malformed(description: "the last delimiter is missing")
            }
            parts.append(try part(Data(bytes[(position + 2)..<end.lowerBound])))
            position = end.upperBound
        }
    }

    private static func part(_ bytes: Data) throws -> Part {
        guard let gap = bytes.range(of: Data("\r\n\r\n".utf8)) else {
            throw Malformed(description: "a part without an empty line")
        }
        guard let head = String(data: bytes[..<gap.lowerBound], encoding: .utf8) else {
            throw Malformed(description: "a head that is not UTF-8")
        }
        var headers: [String: String] = [:]
        for line in head.components(separatedBy: "\r\n") {
            guard !line.contains("\r"), !line.contains("\n"), let colon = line.firstIndex(of: ":") else {
                throw Malformed(description: "the line \(line.debugDescription)")
            }
            let name = line[..<colon].lowercased()
            guard headers[name] == nil else { throw Malformed(description: "duplicate \(name)") }
            headers[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        guard let disposition = headers["content-disposition"], disposition.hasPrefix("form-data;") else {
            throw Malformed(description: "a part that is not form data")
        }
        let parameters = parameters(of: disposition)
        return Part(
            headers: headers, name: parameters["name"], fileName: parameters["filename"],
            body: Data(bytes[gap.upperBound...]))
    }

    /// The parameters of `; a=b; c="d"` by name.
    private static func parameters(of header: String) -> [String: String] {
        var parameters: [String: String] = [:]
        var rest = header[(header.firstIndex(of: ";") ?? header.endIndex)...]
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " }
            let name = rest.prefix { $0 != "=" }
            rest = rest.dropFirst(name.count + 1)
            let isQuoted = rest.first == "\""
            if isQuoted { rest = rest.dropFirst() }
            let value = rest.prefix { isQuoted ? $0 != "\"" : $0 != ";" }
            rest = rest.dropFirst(value.count + (isQuoted ? 1 : 0))
            parameters[String(name)] = String(value)
        }
        return parameters
    }
}
