import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Signs every request with a token, which is nowhere shown.
struct BearerToken: Middleware, CustomStringConvertible {
    /// The process variable that holds the token.
    static let variable = "ENV__GITHUB_TOKEN"

    private let token: String

    /// - Returns: nil when the variable is not set, or empty.
    /// - Throws: ``UsageError`` when the value is no token.
    init?() throws(UsageError) {
        guard let token = ProcessInfo.processInfo.environment[Self.variable], !token.isEmpty else { return nil }
        // A line break would end the header, and what follows it would be read as another one.
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError("\(Self.variable) holds spaces, line breaks or other characters that no token has")
        }
        self.token = token
    }

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        var request = request
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return try await next(request)
    }

    var description: String { "bearer token of \(Self.variable)" }
}
