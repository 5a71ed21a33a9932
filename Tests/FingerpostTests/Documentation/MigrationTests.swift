import Fingerpost
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code of the articles on moving from another library, block by block.
@Suite struct MigrationTests {
    @Test func `A request comes from a file`() throws {
        let folder = try TemporaryFolder([
            "github.json": """
            {
              "host": "api.github.com",
              "repos": { "path": "users/{owner}/repos", "queries": [{ "page": "{page}" }] },
              "createRepo": { "path": "user/repos", "httpMethod": "POST", "body": { "name": "{name}", "private": "{isPrivate}" } }
            }
            """
        ])
        let catalog = try EndpointCatalog(contentsOf: folder["github.json"])
        let repos = try catalog.route("repos", ["owner": "apple", "page": 2])
        let create = try catalog.route("createRepo", ["name": "hello", "isPrivate": true])
        #expect(try repos.urlRequest().url?.absoluteString == "https://api.github.com/users/apple/repos?page=2")
        #expect(try create.urlRequest().httpBody == Data(#"{"name":"hello","private":true}"#.utf8))
    }

    @Test func `A file is looked for by its name`() {
        func article() throws -> URLRequest {
            let catalog = try EndpointCatalog(named: "github")
            let request = try catalog.route("ReposPOST").urlRequest()
            return request
        }
        #expect(throws: APIError.self) { try article() }
    }

    @Test func `A request is built in code`() throws {
        let request = try Route.get("some/path.json").host("api.somehost.com").query("name", "joakim").urlRequest()
        #expect(request.url?.absoluteString == "https://api.somehost.com/some/path.json?name=joakim")
    }

    @Test func `A closure configures a route`() throws {
        let people = Route {
            $0.scheme = "https"
            $0.host = "swapi.example"
            $0.path = "api/people"
        }
        #expect(try people.urlRequest().url?.absoluteString == "https://swapi.example/api/people")
    }

    @Test func `Paths and queries grow`() throws {
        let token = "t"
        let hairColor = QueryItem.named("haircolor")
        let person = Route.get("https://swapi.example/api").appending("people", "1").query([hairColor("red")])
        let route = person.header(.accept, "application/json").header(.authorization, "Bearer \(token)")
        let request = try route.urlRequest()
        #expect(request.url?.absoluteString == "https://swapi.example/api/people/1?haircolor=red")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
    }

    @Test func `A router calls back`() async throws {
        let email = "a@b.example"
        let password = "p"
        Router.login(email: email, password: password).request(as: User.self) { user in
            print("Welcome, \(user.login)")
        } failure: { error in
            print(error.status ?? 0, error.serverMessage ?? error.message)
        }
        #expect(try await APIClient().login(email: email, password: password).login == "octocat")
    }

    @Test func `The base URL's key has another name`() throws {
        try APIScope(environment: try Environment("X", values: ["apiBasePath": "https://h.example"])).run {
            let client = try APIClient { $0.baseURLKey = "apiBasePath" }
            #expect(client.configuration.baseURLKey == "apiBasePath")
            let path = try Environment.apiBasePath
            #expect(path == "https://h.example")
        }
    }

    @Test func `A request is configured`() throws {
        let route = Route.get("x").configure { $0.cachePolicy = .reloadIgnoringLocalCacheData }
        let request = try route.urlRequest(relativeTo: URL(string: "https://h.example"))
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
    }
}

enum Router: Routable {
    case login(email: String, password: String)

    var method: HTTPMethod { .post }
    var path: RoutePath { "login" }
    var parameters: Parameters? {
        switch self {
        case .login(let email, let password): ["email": email, "password": password]
        }
    }
    var mock: MockName? { "user" }
}

extension Environment {
    static var apiBasePath: String { get throws { try current.value("apiBasePath") } }
}

extension APIClient {
    func login(email: String, password: String) async throws(APIError) -> User {
        try await send(Router.login(email: email, password: password))
    }
}
