import Fingerpost
import FingerpostDocuments
import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// The credentials in the requests and responses of a call so far. A recording of the call must not contain these
/// credentials.
struct CallCredentials {
    /// The credentials in all requests and responses of the call, and in the client's configuration.
    private(set) var found: [String] = []
    /// The reason why a request may contain an unknown credential. Nil if all requests were searched.
    private(set) var unsearchedRequest: String?

    /// - Parameters:
    ///   - call: the record of the call. Nil if no client received the response.
    ///   - request: the request that the response answers.
    init(_ call: CallRecord?, _ request: URLRequest? = nil) {
        let (requests, responses, credentials) = call?.evidence ?? ([], [], [])
        let all = (request.map { [$0] } ?? []) + requests
        found = all.flatMap(Self.of) + credentials
        for (headers, body) in responses {
            found += Redaction.credentials(of: headers) + Self.issued(in: body, headers[.contentType])
        }
        let form = call?.route.writtenBody
        if form != nil || all.isEmpty { found += call?.route.credentials ?? [] }
        if form?.fields.contains(where: { $0.value == nil && SensitiveName.isPassword($0.name) }) == true {
            unsearchedRequest = "the request's body has a file under the name of a secret"
        } else {
            // If a body is streamed from a form, the fields of the form are searched instead of the body.
            unsearchedRequest =
                all.filter { form == nil || $0.httpBodyStream == nil }.lazy.compactMap(Self.unsearched).first
        }
    }

    /// The credentials in a request's headers, URL and body.
    static func of(_ request: URLRequest) -> [String] {
        Redaction.credentials(of: request, upTo: Recording.largestSearched)
    }

    /// The reason why a request may contain a credential that ``of(_:)`` does not find. Nil if the request was
    /// searched.
    private static func unsearched(_ request: URLRequest) -> String? {
        let type = request.value(forHTTPHeaderField: HTTPHeaders.Name.contentType.rawValue).map {
            MediaType(contentType: $0)
        }
        let isText = type.map { $0.isJSON || $0.isForm || $0.rawValue.begins(with: "multipart/") } ?? true
        guard isText else { return nil }
        if request.httpBodyStream != nil { return "the request's body is a stream, which is not searched for secrets" }
        guard let body = request.httpBody, body.count > Recording.largestSearched else { return nil }
        return "the request's body of \(body.count) bytes is too large to be searched for secrets"
    }

    /// Returns the values of keys such as `access_token` in a response's body. Values that are ordinary words are left
    /// out, because an error message can be under the name of a field: `{"errors": {"password": "too short"}}`.
    ///
    /// - Parameter type: the value of `Content-Type`; nil if the response has none.
    static func issued(in body: Data, _ type: String?) -> [String] {
        guard body.count <= Recording.largestSearched else { return [] }
        let elements = StreamedElements(body, contentType: type)?.elements.map(\.data) ?? [body]
        return elements.flatMap { element -> [String] in
            let isText = element.text != nil
            guard isText, let root = JSONReader.inspect(element) else {
                let text = isText ? element : Data([UInt8](element).texts.utf8)
                let found = Redaction.credentials(inBody: text, upTo: Recording.largestSearched)
                let harmless = found.isEmpty ? [] : NamedText.described(in: text)
                return found.filter { !harmless.contains($0) }
            }
            var (found, names) = ([String](), ResponseSecretKeys())
            root.visit(ResponseSecretKeys.Place.none) { node, entry, place in
                let place = entry.map { names.place(of: $0.key, in: place) } ?? place
                switch node.value {
                case .string(let text) where place != .none: found.append(text)
                // A connection string contains keys, and can be the value of a field with any name.
                case .string(let text)
                where text.hasAny(of: ";") && text.words(between: ";").allSatisfy({ $0.hasAny(of: "=") }):
                    found += Redaction.credentials(inBody: Data(text.utf8))
                case .integer(let number) where place == .secret: found.append("\(number.magnitude)")
                default: break
                }
                return place
            }
            return found
        }.filter { text in
            let isLong = text.utf8.count >= 16 || text.unicodeScalars.contains { $0.properties.numericType != nil }
            return isLong && text.utf8.count >= CallSecrets.unlikelyLength
                && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
        }
    }
}

extension Response {
    /// The credentials in the requests that led to this response.
    var sentCredentials: CallCredentials { CallCredentials(record, request) }
}
