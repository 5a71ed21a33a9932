import FingerpostFiles
package import Foundation

/// Turns responses into values or errors, according to a client's configuration.
///
/// `ResponseReader` is a class because every call uses it: copying a whole configuration for each call would cost more
/// than reading the response.
package final class ResponseReader: Sendable {
    /// Provides the decoders, the wrapper, the error type and the validation.
    let configuration: ClientConfiguration

    package init(_ configuration: ClientConfiguration) { self.configuration = configuration }

    /// Turns the body of a successful response into a value.
    ///
    /// For an optional type, an empty or blank body, such as the body of a 204, is read as nil, and any other body is
    /// read as the wrapped type. For `Data`, the value is the unchanged body. ``NoContent`` accepts any body. For
    /// `String` without a wrapper, the value is the string in a JSON body, or else the body as text. For any other
    /// type, the decoder for the response's content type decodes the value.
    ///
    /// - Parameter isWrapped: false if the route's value has no wrapper.
    package func value<Value: Decodable>(
        of response: Response<Data>, as type: Value.Type, isWrapped: Bool
    ) throws -> Value {
        let form = BodyForm(type)
        if form == .decoded, configuration.wrapper == nil || !isWrapped, !response.data.isBlank {
            return try decoder(for: response).decode(type, from: response.data)
        }
        return try uncommonValue(of: response, as: type, form, isWrapped: isWrapped)
    }

    /// Returns a value that the decoder alone cannot provide. This code is a separate function, because its optional
    /// values would cost time in every call.
    private func uncommonValue<Value: Decodable>(
        of response: Response<Data>, as type: Value.Type, _ form: BodyForm, isWrapped: Bool
    ) throws -> Value {
        let data = response.data
        // With a wrapper, the body `null` counts as empty. Without a wrapper, the decoder reads the `null`.
        let mayBeNull = isWrapped && configuration.wrapper != nil && form != .bytes && data.count < 64
        let isEmpty =
            data.isBlank || mayBeNull && data.text?.trimmingCharacters(in: .whitespacesAndNewlines) == "null"
        if isEmpty, let value = ResponseWrapper.absent(type) { return value }
        if form == .bytes, let value = data as? Value { return value }
        let decoder = decoder(for: response)
        if isWrapped, let wrapper = configuration.wrapper, form != .nothing || !isEmpty {
            do { try wrapper.check(data, decoder) } catch let refusal as ResponseWrapper.Refusal {
                throw APIError(refusal: refusal.underlying, status: response.status)
            }
            if form != .nothing { return try wrapper.unwrap(type, from: data, with: decoder) }
        }
        if form == .nothing, let value = NoContent() as? Value { return value }
        if form == .text {
            let text = try Charset.text(of: data, contentType: response.headers[.contentType])
            if let value = string(in: text, of: response, as: type) ?? text as? Value { return value }
        }
        return try decoder.decode(type, from: data)
    }

    /// Returns the string in a JSON body. If the type is optional and the body is `null`, the result contains the
    /// type's own nil. For any other body, the result itself is nil.
    private func string<Value: Decodable>(in text: String, of response: Response<Data>, as type: Value.Type) -> Value? {
        guard let contentType = response.headers[.contentType], MediaType(contentType: contentType).isJSON,
            let first = text.utf8.first(where: { $0 > 0x20 }), first.isOne(of: "\"n")
        else { return nil }
        // If the body cannot be decoded as a string, the caller uses the body as text.
        return try? decoder(for: response).decode(type, from: Data(text.utf8))
    }

    /// True for a type that needs no decoder: `Data` and, if there is no wrapper to decode, `String` and ``NoContent``.
    package func passesThrough(_ type: Any.Type, isWrapped: Bool) -> Bool {
        let form = BodyForm(type)
        return form == .bytes || form != .decoded && (configuration.wrapper == nil || !isWrapped)
    }

    /// The decoder for the response's content type; the JSON decoder when no decoder is registered for that type.
    package func decoder(for response: Response<Data>) -> any BodyDecoder {
        if configuration.decoders.isEmpty { return configuration.decoder }
        let type = response.headers[.contentType].map { MediaType(contentType: $0).rawValue }
        return type.flatMap { configuration.decoders[$0] } ?? configuration.decoder
    }
}

extension ResponseReader {
    /// Checks that a response is successful, or that the route accepts its status. If the response is successful, also
    /// runs the configuration's `validate`.
    ///
    /// - Throws: ``APIError`` with the response, if its status is not accepted or `validate` rejects it.
    package func check(_ response: Response<Data>, of route: Route) throws {
        guard response.isSuccess else {
            if Self.isExpected(response.status, by: route) { return }
            let isAimless = Redirects.statuses.contains(response.status) && response.headers[.location] == nil
            throw APIError(
                .status(response.status),
                "the server answered \(response.status)"
                    + (isAimless ? ", a redirect without a Location, which cannot be followed" : ""),
                fix: Self.fix(for: response)
            )
            // A body that is not JSON, such as the HTML page of a proxy, is not decoded. The error still contains the
            // status and the body.
            .adding(response, errorResponse(in: response))
        }
        do { try configuration.validate?(response, route) } catch {
            throw APIError(refusal: error, status: response.status).adding(response, error as? any ErrorResponse)
        }
    }

    private func errorResponse(in response: Response<Data>) -> (any ErrorResponse)? {
        configuration.errorResponse.flatMap { try? decoder(for: response).decode($0, from: response.data) }
    }

    /// Adds a response to the error that it caused. If the error is a decoding error, this method also adds the
    /// service's error from the body. If the body reports a failure despite a success status, this method also adds the
    /// message from the body.
    ///
    /// - Parameter isFailure: true if the server has marked the response as an error by means other than the status and
    ///   the body.
    func adding(_ response: Response<Data>, to error: APIError, isFailure: Bool = false) -> APIError {
        guard error.kind == .decoding else { return error.adding(response) }
        let isFailure = isFailure || ServerMessage.isFailure(response.data)
        return error.adding(
            response, errorResponse(in: response),
            message: isFailure ? ServerMessage.find(in: response.data, type: "text/plain").message : nil)
    }

    /// Returns the fix for a response that requests credentials in a form that the library cannot send. Returns nil for
    /// any other response.
    private static func fix(for response: Response<Data>) -> String? {
        guard response.status == 401, let challenges = response.headers[.wwwAuthenticate] else { return nil }
        // The first part of a challenge begins with the scheme. Every other part is a parameter and contains no space.
        let schemes = Set(
            challenges.parts(between: ",").map {
                $0.trimmingCharacters(in: .whitespaces).prefix(before: " ").lowercased()
            })
        guard schemes.isSuperset(of: ["digest"]), schemes.isDisjoint(with: ["basic", "bearer"]) else { return nil }
        return """
            the library does not support Digest authentication: let the server accept Basic or Bearer credentials, or \
            send with a transport that answers Digest (on Apple platforms, a URLSessionTransport whose onChallenge \
            returns a credential)
            """
    }

    /// Returns true if the route accepts a status outside 200...299. With ``StatusPolicy/all``, a route accepts any
    /// status. A route that follows no redirects accepts 300...399, and a route that sets a validator header accepts
    /// 304 (RFC 9110 section 13.1).
    private static func isExpected(_ status: Int, by route: Route) -> Bool {
        let isUnchanged = status == 304 && [.ifNoneMatch, "If-Modified-Since"].contains(where: route.headers.contains)
        return isUnchanged || (300..<400).contains(status) && route.redirects == .manual
            || route.acceptedStatuses == .all
    }
}

extension APIError {
    /// The error for a response that has a success status, but that `validate` or the wrapper's check rejected.
    init(refusal error: any Error, status: Int) {
        if let error = error as? APIError {
            self = error
        } else {
            let reason = (error as? any LocalizedError)?.errorDescription ?? Self.text(of: error)
            self.init(.status(status), "the response was rejected as invalid: \(reason)", underlying: error)
        }
    }
}

/// The character encodings of text bodies: UTF-8, and the other encodings that services declare and that every platform
/// reads in the same way.
enum Charset {
    /// Each element contains an encoding, its name in the IANA registry, and the aliases that servers use. The aliases
    /// are in lower case, without `-`, `_`, spaces and quotes.
    private static let known: [(name: String, aliases: [String], encoding: String.Encoding)] = [
        ("UTF-8", ["utf8", "unicode11utf8"], .utf8),
        ("UTF-16", ["utf16", "ucs2", "iso10646ucs2", "unicode", "csunicode"], .utf16),
        ("UTF-16LE", ["utf16le", "ucs2le"], .utf16LittleEndian),
        ("UTF-16BE", ["utf16be", "ucs2be"], .utf16BigEndian),
        ("US-ASCII", ["usascii", "ascii", "ansix3.41968", "iso646us", "us", "cp367"], .ascii),
        (
            "ISO-8859-1", ["iso88591", "iso88591:1987", "latin1", "isolatin1", "l1", "cp819", "ibm819", "isoir100"],
            .isoLatin1
        ),
        // Foundation has no constant for ISO-8859-15, whose number in Core Foundation is 0x20F.
        ("ISO-8859-15", ["iso885915", "latin9", "l9", "isolatin9"], String.Encoding(rawValue: 0x8000_020F)),
        ("windows-1252", ["windows1252", "cp1252", "xcp1252", "win1252", "msansi"], .windowsCP1252),
    ]

    /// Values of the parameter `charset` that are not names of charsets. These values are ignored.
    private static let none = ["", "binary", "8bit", "7bit", "none", "null", "undefined", "unknown", "default", "auto"]

    /// Decodes the text of a body with the charset that the `Content-Type` declares. If no charset is declared, a body
    /// that begins with the byte order mark of UTF-16 is read as UTF-16, and any other body is read as UTF-8. The
    /// returned text does not contain the byte order mark.
    ///
    /// - Throws: `DecodingError` that names the charset.
    static func text(of data: Data, contentType: String?) throws(DecodingError) -> String {
        let label = contentType.flatMap { MediaType(contentType: $0).charset }
        let declared = none.contains(label?.lowercased() ?? "") ? nil : label
        let isMarked = declared == nil && (data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]))
        let alias = (declared ?? (isMarked ? "utf16" : "utf8")).lowercased()
            .filter { !($0.utf8.first ?? 0).isOne(of: "-_ '") }
        guard let charset = known.first(where: { $0.aliases.contains { $0.isSame(as: alias) } }) else {
            let names = known.map(\.name).joined(separator: ", ")
            throw DecodingError(
                body: "the body is text in the charset \((declared ?? "").quoted), and a String is read from \(names)")
        }
        // Without a byte order mark, UTF-16 is big-endian (RFC 2781 section 4.3).
        let utf16 = data.starts(with: [0xFF, 0xFE]) ? String.Encoding.utf16LittleEndian : .utf16BigEndian
        guard let text = String(data: data, encoding: charset.encoding == .utf16 ? utf16 : charset.encoding) else {
            throw DecodingError(
                body: "the body is not valid \(charset.name)"
                    + (declared == nil ? "" : ", which its Content-Type declares"))
        }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}

extension DecodingError {
    fileprivate init(body reason: String) {
        self = .dataCorrupted(
            .init(codingPath: [], debugDescription: "\(reason); data(for:) returns its bytes"))
    }
}
