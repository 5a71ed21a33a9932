public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

public struct Failure: Error, Equatable {
    public let status: Int

    public init(status: Int) { self.status = status }
}

/// An app's own client, which does not know the library.
public struct GitHubAPI: Sendable {
    private struct User: Decodable { var name: String }

    private let session: URLSession

    public init(session: URLSession) { self.session = session }

    public func name(of login: String) async throws -> String {
        try JSONDecoder().decode(User.self, from: await load("GET", "users/\(login)")).name
    }

    public func open(_ title: String, in repository: String) async throws {
        let body = try JSONEncoder().encode(["title": title])
        _ = try await load("POST", "repos/\(repository)/issues", body)
    }

    /// Ignores every error.
    public func emojis() async -> Int { (try? await load("GET", "emojis"))?.count ?? 0 }

    private func load(_ method: String, _ path: String, _ body: Data? = nil) async throws -> Data {
        var request = URLRequest(url: URL(string: "https://api.github.com/\(path)")!)
        (request.httpMethod, request.httpBody) = (method, body)
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard 200..<300 ~= status else { throw Failure(status: status) }
        return data
    }
}
