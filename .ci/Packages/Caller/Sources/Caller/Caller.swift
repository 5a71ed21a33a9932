import Fingerpost
import FingerpostCallbacks
import FingerpostCatalog
import FingerpostTransfers
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct User: Codable, Sendable {
    var login: String
}

struct UserEndpoint: Endpoint {
    typealias Response = User
    var path: RoutePath { "users/octocat" }
    var mock: MockName? { "user" }
}

/// A transport of the app.
struct Wrapper: Transport {
    let inner = URLSessionTransport()

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        try await Task.detached { try await inner.send(request, for: route) }.value
    }
}

/// Sends each request to another server, too.
struct Twice: Middleware {
    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        var other = request
        other.url = URL(string: "http://127.0.0.1:10/x")
        _ = try? await next(other)
        return try await next(request)
    }
}

let route = Route.get("users/octocat").mock("user")
let address = "http://127.0.0.1:9/x"
let file = FileManager.default.temporaryDirectory.appendingPathComponent("Caller-\(UUID().uuidString)")

func continued<Value: Sendable>(
    _ start: (@escaping @Sendable (Result<Value, APIError>) -> Void) -> Void
) async throws -> Value {
    try await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }.get()
}

func blocking(_ client: APIClient) async throws {
    let result = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(returning: Result { try client.blocking.send(route, as: User.self) })
        }
    }
    _ = try result.get()
}

func catalog(_ client: APIClient) async throws {
    let text = #"{ "scheme": "http", "host": "127.0.0.1", "port": 9, "User": { "path": "/{login}", "mock": "user" } }"#
    try await client.send(try EndpointCatalog(data: Data(text.utf8)).route("User", ["login": "octocat"]))
}

typealias Kind = @Sendable (APIClient) async throws -> Void

/// The last four have no mock.
let kinds: [Kind] = [
    { _ = try await $0.send(route, as: User.self) },
    { try await $0.send(route) },
    { _ = try await $0.send(UserEndpoint()) },
    { _ = try await $0.data(for: route) },
    { _ = try await $0.response(for: route, as: User.self) },
    { try await $0.send(Route.post("users").json(["a": 1]).mock("user")) },
    { try await $0.send(Route.get(RoutePath(URL(string: address)!)).mock("user")) },
    { _ = try await $0.download(route, to: file) },
    { client in
        let _: User = try await continued { client.request(route, as: User.self, on: .global(), completion: $0) }
    },
    { try await blocking($0) },
    { try await catalog($0) },
    { _ = try await $0.response(for: URLRequest(url: URL(string: address)!)) },
    { try await $0.send(Route.get("x")) },
    { try await $0.send(Route.get("x").mock("usr")) },
    { _ = try await $0.download(Route.get(RoutePath(URL(string: address)!)), to: file) },
]

let places: [@Sendable (@escaping @Sendable () async -> Void) async -> Void] = [
    { await $0() },
    { work in await Task { await work() }.value },
    { work in await Task.detached { await work() }.value },
    { work in
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                Task {
                    await work()
                    continuation.resume()
                }
            }
        }
    },
]

actor Counts {
    var answered = 0
    var refused = 0

    func count(_ kind: Kind, _ client: APIClient) async {
        do {
            try await kind(client)
            answered += 1
        } catch let error as APIError where error.kind == .mock {
            refused += 1
        } catch {
            print(error)
        }
    }
}

@main struct Caller {
    static func main() async throws {
        var custom = APIClient.Configuration()
        custom.transport = Wrapper()
        custom.middleware = [Twice()]
        custom.authorization = .bearer("token")
        let clients = [
            APIClient.shared, try APIClient(custom), try APIClient { $0.baseURL = URL(string: "http://127.0.0.1:9") },
            APIClient(baseURL: URL(string: "http://127.0.0.1:9")!),
            APIClient(baseURL: URL(string: "http://127.0.0.1:9")!, custom),
        ]
        let counts = Counts()
        for client in clients {
            for (index, kind) in kinds.enumerated() {
                let place = places[index % places.count]
                await place { await counts.count(kind, client) }
            }
        }
        // From all places at once.
        await withTaskGroup(of: Void.self) { group in
            for (index, kind) in kinds.enumerated() {
                for place in places {
                    let client = clients[index % clients.count]
                    group.addTask { await place { await counts.count(kind, client) } }
                }
            }
        }
        // The file of a download that was answered.
        try FileManager.default.removeItem(at: file)
        print("\(await counts.answered) answered, \(await counts.refused) refused")
    }
}
