import Fingerpost
import Foundation
import Testing

/// Endpoints in a JSON file and built on the spot, as users of BuildIt have them.
@Suite struct EndpointCatalogTests {
    private static let complete = """
        {
            "ReposPOST": {
                "host": "api.github.com",
                "path": "user/repos",
                "httpMethod": "POST",
                "headers": {
                   "Accept": "application/vnd.github.v3+json",
                    "User-Agent": "Some-User-Agent"
                }
            }
        }
        """
    private static let shared = """
        {
        \t"host": "api.github.com",
            "path": "user/repos",
            "headers": {
                "Accept": "application/vnd.github.v3+json",
                "User-Agent": "Some-User-Agent"
            },
            "ReposGET": {
        \t\t"path": "user/repos",
                "queries": [
                    { "page": "2" },
                    { "per_page": "100" }
                ]
        \t},
        \t"ReposPOST": {
                "httpMethod": "POST",
                "headers": {
                    "Time-Zone": "Europe/Berlin"
                }
            }
        }
        """

    private func catalog(_ json: String) throws -> EndpointCatalog {
        try EndpointCatalog(data: Data(json.utf8), path: "endpoints.json")
    }

    // MARK: The two documented files

    @Test func `A file whose entries are complete loads unchanged`() throws {
        let request = try catalog(Self.complete).route("ReposPOST").urlRequest()
        #expect(request.url?.absoluteString == "https://api.github.com/user/repos")
        #expect(request.httpMethod == "POST")
        #expect(
            request.allHTTPHeaderFields
                == ["Accept": "application/vnd.github.v3+json", "User-Agent": "Some-User-Agent"])
    }

    @Test func `A file with shared values loads unchanged`() throws {
        let catalog = try catalog(Self.shared)
        #expect(catalog.names == ["ReposGET", "ReposPOST"])
        let get = try catalog.route("ReposGET").urlRequest()
        #expect(get.url?.absoluteString == "https://api.github.com/user/repos?page=2&per_page=100")
        #expect(get.httpMethod == "GET")
        let post = try catalog.route("ReposPOST").urlRequest()
        #expect(post.url?.absoluteString == "https://api.github.com/user/repos")
        #expect(post.httpMethod == "POST")
        #expect(post.value(forHTTPHeaderField: "Time-Zone") == "Europe/Berlin")
        #expect(post.value(forHTTPHeaderField: "User-Agent") == "Some-User-Agent")
    }

    // MARK: Inheritance

    @Test func `Headers merge without regard to letter case, queries and paths replace`() throws {
        let catalog = try catalog(
            """
            { "scheme": "http", "host": "h.example", "port": 8080, "path": "shared", "headers": {"Accept": "a/b", "X-A": "1"},
              "queries": [{"q": "shared"}], "timeout": 5, "authorization": "required",
              "plain": {},
              "own": {"path": "own", "headers": {"accept": "c/d"}, "queries": {"x": 1, "y": true}, "timeout": 0.5,
                      "authorization": "none", "scheme": "https", "port": 1, "mock": "own"} }
            """)
        let plain = try catalog.route("plain")
        #expect(try plain.urlRequest().url?.absoluteString == "http://h.example:8080/shared?q=shared")
        #expect(plain.timeout == .seconds(5))
        #expect(plain.authorization == .required)
        let own = try catalog.route("own")
        #expect(try own.urlRequest().url?.absoluteString == "https://h.example:1/own?x=1&y=true")
        #expect(try own.urlRequest().allHTTPHeaderFields == ["accept": "c/d", "X-A": "1"])
        #expect(own.timeout == .milliseconds(500))
        #expect(own.authorization == .none)
        #expect(own.mock == "own")
        #expect(own.name == "own")
    }

    @Test func `Without a host the path is relative to the client's base URL`() async throws {
        let transport = StubTransport(200)
        let route = try catalog(#"{"users": {"path": "users"}}"#).route("users")
        try await transport.client().send(route)
        #expect(transport.requests[0].url?.absoluteString == "https://api.example.com/users")
    }

    // MARK: Placeholders

    @Test func `Placeholders are filled and escaped for where they stand`() throws {
        let catalog = try catalog(
            """
            { "host": "h.example", "e": { "path": "users/{owner}/repos/{id}.json", "httpMethod": "POST",
              "queries": [{"q": "{text}"}, {"all": "{ids}"}, {"mixed": "a-{id}"}],
              "headers": {"X-Trace": "t-{id}"},
              "body": {"owner": "{owner}", "count": "{id}", "note": "for {owner} {", "list": ["{ids}", 1, null], "ids": "{ids}"} } }
            """)
        let request = try catalog.route("e", ["owner": "a/b c", "id": 7, "text": "x&y=z", "ids": [1, 2]]).urlRequest()
        #expect(
            request.url?.absoluteString
                == "https://h.example/users/a%2Fb%20c/repos/7.json?q=x%26y%3Dz&all=1&all=2&mixed=a-7")
        #expect(request.value(forHTTPHeaderField: "X-Trace") == "t-7")
        let body = try #require(request.httpBody)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"count":7,"ids":[1,2],"list":[[1,2],1,null],"note":"for a/b c {","owner":"a/b c"}"#)
    }

    @Test func `What was filled in is not filled again`() throws {
        let catalog = try catalog(#"{"host": "h.example", "e": {"path": "{a}/{b}"}}"#)
        let url = try catalog.route("e", ["a": "{b}", "b": "{a}"]).urlRequest().url
        #expect(url?.absoluteString == "https://h.example/%7Bb%7D/%7Ba%7D")
    }

    private static let badArguments: [(Parameters, APIError.Kind, String)] = [
        ([:], .invalidRoute, "needs the argument \"owner\""),
        (["owner": nil], .invalidRoute, "needs the argument \"owner\""),
        (["ownr": "a"], .invalidRoute, "did you mean \"ownr\"?"),
        (["owner": "a", "pge": 1], .invalidRoute, "no placeholder {pge}"),
        (["owner": [1, 2]], .encoding, "is a list, which the path cannot hold"),
        (["owner": ["k": 1]], .encoding, "is a dictionary, which the path cannot hold"),
        (["owner": Double.nan], .encoding, ""),
        (["owner": ""], .invalidRoute, "is empty"),
        (["owner": ".."], .invalidRoute, "is \"..\""),
    ]

    @Test(arguments: badArguments)
    func `Arguments that do not fit are refused by name`(arguments: Parameters, kind: APIError.Kind, text: String)
        throws
    {
        let catalog = try catalog(#"{"host": "h.example", "repos": {"path": "users/{owner}"}}"#)
        let error = #expect(throws: APIError.self) { try catalog.route("repos", arguments).urlRequest() }
        #expect(error?.kind == kind)
        #expect(error.map { text.isEmpty || "\($0)".contains(text) } == true, "\(String(describing: error))")
    }

    @Test func `A line break cannot enter a header`() throws {
        let catalog = try catalog(#"{"host": "h.example", "e": {"headers": {"X": "{x}"}}}"#)
        let error = #expect(throws: APIError.self) { try catalog.route("e", ["x": "a\r\nY: 1"]).urlRequest() }
        #expect(error?.kind == .invalidRoute)
    }

    // MARK: Bad files

    private static let broken: [(String, [String])] = [
        ("", ["endpoints.json:1:1", "empty"]),
        ("[]", ["endpoints.json:1", "a list, not endpoints"]),
        ("{\n\"a\": {},\n}", ["endpoints.json:3", "remove the comma"]),
        ("{\n\"a\": {\"pth\": \"x\"}}", ["endpoints.json:2", "unknown key \"pth\"", "did you mean \"path\""]),
        ("{\n\"hots\": \"h\"}", ["endpoints.json:2", "unknown key \"hots\"", "did you mean \"host\""]),
        ("{\"a\": {},\n\"a\": {}}", ["endpoints.json:2", "\"a\" stands twice"]),
        ("{\"a\": {\"path\": \"x\",\n\"path\": \"y\"}}", ["endpoints.json:2", "\"path\" stands twice"]),
        ("{\"host\": \"x\",\n\"host\": \"y\"}", ["endpoints.json:2", "\"host\" stands twice"]),
        ("{\"host\": 7}", ["\"host\" is an integer where text is expected"]),
        ("{\"a\": {\"path\": null}}", ["\"path\" is null where text is expected"]),
        ("{\"scheme\": \"htp\"}", ["\"htp\" is no value of \"scheme\"", "did you mean \"http\""]),
        ("{\"port\": \"80\"}", ["a whole number from 1 to 65535"]),
        ("{\"port\": 0}", ["a whole number from 1 to 65535"]),
        ("{\"port\": 65536}", ["a whole number from 1 to 65535"]),
        ("{\"port\": 80.5}", ["a whole number from 1 to 65535"]),
        ("{\"timeout\": 0}", ["a number of seconds over zero"]),
        ("{\"timeout\": -1.5}", ["a number of seconds over zero"]),
        ("{\"timeout\": \"5\"}", ["a number of seconds over zero"]),
        ("{\"authorization\": \"yes\"}", ["\"yes\" is no value of \"authorization\""]),
        ("{\"headers\": []}", ["\"headers\" is a list"]),
        ("{\"headers\": {\"A\": 1}}", ["the header \"A\" is an integer"]),
        ("{\"headers\": {\"A\": \"1\",\n\"a\": \"2\"}}", ["endpoints.json:2", "\"a\" stands twice"]),
        ("{\"queries\": \"a=1\"}", ["\"queries\" is a string"]),
        ("{\"queries\": [\"a\"]}", ["\"queries\" is a string"]),
        ("{\"queries\": [{\"a\": {}}]}", ["the query \"a\" is a dictionary"]),
        ("{\"body\": {}}", ["\"body\" cannot be shared"]),
        ("{\"mock\": \"x\"}", ["\"mock\" cannot be shared"]),
        ("{\"a\": {\"path\": \"x/{id\"}}", ["\"{id\" is no placeholder"]),
        ("{\"a\": {\"path\": \"x/{i d}\"}}", ["\"{i d}\" is no placeholder"]),
        ("{\"a\": {\"headers\": {\"A\": \"}\"}}}", ["\"}\" is no placeholder"]),
        ("{\"hots\": 1,\n\"port\": 0,\n\"a\": {\"b\": 1}}", ["json:1", "json:2", "json:3"]),
    ]

    @Test(arguments: broken) func `A broken file tells every problem with its place`(json: String, parts: [String]) {
        let error = #expect(throws: APIError.self) { try catalog(json) }
        #expect(error?.kind == .invalidRoute)
        for part in parts { #expect(error?.message.contains(part) == true, "\(String(describing: error))") }
    }

    @Test func `An unknown endpoint is answered with the nearest`() throws {
        let error = #expect(throws: APIError.self) { try catalog(Self.shared).route("ReposPUT") }
        #expect(error?.message.contains("did you mean \"ReposGET\"?") == true)
        #expect(error?.fix?.contains("ReposGET, ReposPOST") == true)
    }

    @Test func `A file that is not there is answered with the nearest`() throws {
        let folder = try TemporaryFolder(["github.json": "{}"])
        #expect(throws: APIError.self) { try EndpointCatalog(contentsOf: folder["gone.json"]) }
        let error = #expect(throws: APIError.self) { try EndpointCatalog(named: "no-such-catalog") }
        #expect(error?.message.contains("no-such-catalog.json") == true)
    }

    @Test func `Ten thousand endpoints load`() throws {
        let endpoints = (0..<10_000).map { "\"e\($0)\": {\"path\": \"p/\($0)/{id}\", \"queries\": [{\"q\": \"{q}\"}]}" }
        let catalog = try catalog("{\"host\": \"h.example\", \(endpoints.joined(separator: ",\n"))}")
        #expect(catalog.names.count == 10_000)
        let url = try catalog.route("e9999", ["id": 1, "q": "x"]).urlRequest().url
        #expect(url?.absoluteString == "https://h.example/p/9999/1?q=x")
    }

    // MARK: A route like any other

    @Test func `A catalog's endpoint is mocked, sent and decoded like any route`() async throws {
        struct User: Decodable, Sendable { var login: String }
        let folder = try TemporaryFolder(["user.json": #"{"login": "mocked"}"#])
        let route = try catalog(#"{"host": "h.example", "user": {"path": "users/{login}", "mock": "user"}}"#)
            .route("user", ["login": "octocat"])
        let scope = APIScope(environment: try Environment("Testing"), mocks: folder.url)
        let transport = StubTransport(200, [:], #"{"login": "live"}"#)
        let client = transport.client()
        #expect(try await scope.run { try await client.send(route, as: User.self) }.login == "mocked")
        #expect(try await client.send(route, as: User.self).login == "live")
        #expect(transport.requests[0].url?.absoluteString == "https://h.example/users/octocat")
        let error = await #expect(throws: APIError.self) { try await StubTransport(404).client().send(route) }
        #expect(error?.route == "user")
    }

    // MARK: The builder

    @Test func `The builder's defaults are GET and https`() throws {
        let route = Route.get("some/path.json").host("api.somehost.com").query("name", "joakim")
        #expect(try route.urlRequest().url?.absoluteString == "https://api.somehost.com/some/path.json?name=joakim")
        #expect(try route.urlRequest().httpMethod == "GET")
    }

    @Test func `The order of the builder's calls does not matter`() throws {
        let steps: [@Sendable (Route) -> Route] = [
            { $0.host("h.example") }, { $0.scheme("http") }, { $0.port(81) }, { $0.header(.accept, "a/b") },
            { $0.json(["a": 1]) }, { $0.method(.put) }, { $0.query("q", 1) }, { $0.mock("m") },
        ]
        let build = { (order: [Int]) in try order.reduce(Route(path: "p")) { steps[$1]($0) }.urlRequest() }
        let expected = try build(Array(steps.indices))
        #expect(expected.url?.absoluteString == "http://h.example:81/p?q=1")
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let request = try build(steps.indices.shuffled(using: &random))
            #expect(request == expected)
            #expect(request.httpBody == expected.httpBody)
        }
    }

    @Test func `Repeated header values append`() throws {
        let route = Route.get("x").host("h.example").header(.accept, "a/b").header(.accept, "c/d")
        #expect(try route.urlRequest().value(forHTTPHeaderField: "Accept") == "a/b, c/d")
    }

    @Test func `A host of its own leads past the base URL`() throws {
        let base = URL(string: "https://base.example/v1?key=1")
        let route = Route.get("x").host("h.example")
        #expect(try route.urlRequest(relativeTo: base).url?.absoluteString == "https://h.example/x")
    }

    private static let badHosts = ["", "a b", "a/b", "a?b", "a#b", "user@h", "h:80", "a\nb", "[::1", "h%2F"]

    @Test(arguments: badHosts) func `A host that is none is refused`(host: String) {
        let error = #expect(throws: APIError.self) { try Route.get("x").host(host).urlRequest() }
        #expect(error?.kind == .invalidRoute)
    }

    @Test func `A scheme or port without a host is refused`() {
        let base = URL(string: "https://base.example")
        #expect(throws: APIError.self) { try Route.get("x").scheme("http").urlRequest(relativeTo: base) }
        #expect(throws: APIError.self) { try Route.get("x").port(80).urlRequest(relativeTo: base) }
        #expect(throws: APIError.self) { try Route.get("x").host("h.example").scheme("ftp").urlRequest() }
    }
}
