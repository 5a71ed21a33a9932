#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLRequest {
    /// A copy without secrets and without a body; nil if no URL is left.
    ///
    /// - Parameter redactor: knows the secrets of the call.
    package func redacted(by redactor: SecretRedactor) -> URLRequest? {
        let text = redactor.withoutCredentials(Redaction.url(url?.absoluteString ?? ""))
        // A placeholder has characters that a URL cannot contain.
        guard let url = URL(string: String(decoding: text.utf8.flatMap(Self.escaped), as: UTF8.self)) else {
            return nil
        }
        var request = URLRequest(url: url, cachePolicy: cachePolicy, timeoutInterval: timeoutInterval)
        request.httpMethod = httpMethod
        request.allHTTPHeaderFields = (allHTTPHeaderFields ?? [:]).reduce(into: [:]) { fields, field in
            fields[field.key] =
                SensitiveName.isSensitive(field.key)
                ? SensitiveName.placeholder : redactor.withoutCredentials(field.value)
        }
        return request
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "<"): Array("%3C".utf8)
        case UInt8(ascii: ">"): Array("%3E".utf8)
        case UInt8(ascii: " "): Array("%20".utf8)
        default: [byte]
        }
    }
}
