import Fingerpost
import Foundation

extension Route {
    /// The method unless it is GET, the URL, the headers in the order of their names, and the body.
    func requestLine(relativeTo base: URL? = nil) throws -> String {
        let request = try urlRequest(relativeTo: base)
        let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) }
        return [
            request.httpMethod == "GET" ? nil : request.httpMethod, request.url?.absoluteString,
            headers.isEmpty ? nil : headers.joined(separator: ", "), body,
        ].compactMap { $0 }.joined(separator: " ")
    }
}
