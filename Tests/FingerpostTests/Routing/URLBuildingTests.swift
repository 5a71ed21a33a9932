import FingerpostFiles
import FingerpostMocks
import FingerpostShared
import TestSupport

@testable import Fingerpost

@Suite(.inTurn) struct URLBuildingTests {
    /// A route, its base URL, and the expected URL.
    struct Row: CustomTestStringConvertible, Sendable {
        var route: Route
        var base = "https://api.example.com"
        var url: String
        var testDescription: String { url }

        init(_ route: Route, base: String = "https://api.example.com", _ url: String) {
            self.route = route
            self.base = base
            self.url = url
        }

        /// Only a path.
        static func path(_ path: RoutePath, base: String = "https://api.example.com", _ url: String) -> Row {
            Row(.get(path), base: base, url)
        }
    }

    private func check(_ row: Row) throws {
        let request = try row.route.urlRequest(relativeTo: URL(string: row.base))
        #expect(request.url?.absoluteString == row.url)
    }

    private static let joins: [Row] = [
        .path("users", "https://api.example.com/users"),
        .path("/users", "https://api.example.com/users"),
        .path("users/", "https://api.example.com/users/"),
        .path("", "https://api.example.com"),
        .path("/", "https://api.example.com/"),
        .path("users", base: "https://api.example.com/", "https://api.example.com/users"),
        .path("/users", base: "https://api.example.com/", "https://api.example.com/users"),
        .path("users", base: "https://api.example.com/v3", "https://api.example.com/v3/users"),
        .path("/users", base: "https://api.example.com/v3/", "https://api.example.com/v3/users"),
        .path("/users/7", base: "https://api.example.com/a/b//", "https://api.example.com/a/b//users/7"),
        .path("", base: "https://api.example.com/graphql/", "https://api.example.com/graphql/"),
        .path("", base: "https://api.example.com/", "https://api.example.com/"),
        .path("?x=1", base: "https://api.example.com/v3/?k=1", "https://api.example.com/v3/?k=1&x=1"),
        .path("users?", "https://api.example.com/users?"),
        .path("users?", base: "https://h.example/api?key=1", "https://h.example/api/users?key=1"),
        .path("https://o.example/a?", "https://o.example/a?"),
        Row(Route.get("users?").query("a", 1), "https://api.example.com/users?a=1"),
        Row(Route.get("users?").query("a", [Int]()), "https://api.example.com/users?"),
        .path("", base: "https://api.example.com/v3", "https://api.example.com/v3"),
        .path("users", base: "http://127.0.0.1:8080", "http://127.0.0.1:8080/users"),
        .path("users", base: "http://127.0.0.1:8080/api/", "http://127.0.0.1:8080/api/users"),
        .path("users", base: "HTTP://Example.com:80", "HTTP://Example.com:80/users"),
        .path("users", base: "https://h.example/api?key=1", "https://h.example/api/users?key=1"),
        .path("users", base: "https://h.example/api/?key=1&b=2", "https://h.example/api/users?key=1&b=2"),
        .path("users?x=2", base: "https://h.example/api?key=1", "https://h.example/api/users?key=1&x=2"),
        .path("users", base: "https://h.example/api?", "https://h.example/api/users?"),
        .path("users", base: "https://h.example/a%20b", "https://h.example/a%20b/users"),
        .path("\(raw: "//other.example/x")", "https://api.example.com//other.example/x"),
        .path("https://other.example/x", "https://other.example/x"),
        .path("https://other.example", base: "https://h.example/api?key=1", "https://other.example"),
        .path("http://other.example:8080/x?y=1", "http://other.example:8080/x?y=1"),
    ]

    @Test(arguments: joins)
    func `A path is joined to its base by one slash and keeps the base's query`(row: Row) throws {
        try check(row)
    }

    private static let prefix: RoutePath = "api/v2"

    private static let interpolations: [Row] = [
        .path("users/\("octocat")", "https://api.example.com/users/octocat"),
        .path("users/\(7)/repos", "https://api.example.com/users/7/repos"),
        .path("users/\("a b")", "https://api.example.com/users/a%20b"),
        .path("users/\("a/b")", "https://api.example.com/users/a%2Fb"),
        .path("users/\("a?b#c")", "https://api.example.com/users/a%3Fb%23c"),
        .path("users/\("50%")", "https://api.example.com/users/50%25"),
        .path("users/\("%2e%2e")", "https://api.example.com/users/%252e%252e"),
        .path("users/\("a+b")", "https://api.example.com/users/a%2Bb"),
        .path("users/\("a&b=c;d")", "https://api.example.com/users/a%26b%3Dc%3Bd"),
        .path("users/\("jürgen")", "https://api.example.com/users/j%C3%BCrgen"),
        .path("users/\("日本")", "https://api.example.com/users/%E6%97%A5%E6%9C%AC"),
        .path("users/\("🦉")", "https://api.example.com/users/%F0%9F%A6%89"),
        .path("users/\("a\nb")", "https://api.example.com/users/a%0Ab"),
        .path("users/\("A-z_0.~")", "https://api.example.com/users/A-z_0.~"),
        .path("users/\("...")", "https://api.example.com/users/..."),
        .path("users/.\("")x", "https://api.example.com/users/.x"),
        .path("\("https://evil.example")/x", "https://api.example.com/https%3A%2F%2Fevil.example/x"),
        .path("files/\(raw: "a/b c/d%20e")", "https://api.example.com/files/a/b%20c/d%20e"),
        .path("files/\(raw: "a%zz")", "https://api.example.com/files/a%25zz"),
        .path("files/\(raw: "%4z%z4%4A")", "https://api.example.com/files/%254z%25z4%4A"),
        .path("\(URL(string: "https://o.example/a%20b")!)/x", "https://o.example/a%20b/x"),
        .path("größe/x y", "https://api.example.com/gr%C3%B6%C3%9Fe/x%20y"),
        .path("a%20b", "https://api.example.com/a%20b"),
        .path("100%", "https://api.example.com/100%25"),
        .path("issues#1", "https://api.example.com/issues%231"),
        .path("a[1]|b", "https://api.example.com/a%5B1%5D%7Cb"),
        .path("search?q=\("a&b c")", "https://api.example.com/search?q=a%26b%20c"),
        .path("search?q=\("")", "https://api.example.com/search?q="),
        .path("search?a=1?2", "https://api.example.com/search?a=1?2"),
        .path(RoutePath(URL(string: "https://o.example/p?x=1#f")!), "https://o.example/p?x=1"),
        .path(RoutePath(raw: "users/a b"), "https://api.example.com/users/a%20b"),
        .path("\(prefix)/users/\("a/b")", "https://api.example.com/api/v2/users/a%2Fb"),
        .path("x/\(prefix)", "https://api.example.com/x/api/v2"),
        .path("\("users/\("a/b")" as RoutePath)/repos", "https://api.example.com/users/a%2Fb/repos"),
        .path("\("a?x=1" as RoutePath)&y=\("")", "https://api.example.com/a?x=1&y="),
        .path("\("a/?x=1" as RoutePath)/y", "https://api.example.com/a/?x=1/y"),
        .path("\("" as RoutePath)https://o.example/a", "https://o.example/a"),
        .path("\("v1/" as RoutePath)users", "https://api.example.com/v1/users"),
        .path("\("https://o.example" as RoutePath)/x y#z", "https://o.example/x%20y"),
        .path("\("https://o.example/a" as RoutePath)/\("b/c")", "https://o.example/a/b%2Fc"),
        .path("a/\("https://o.example" as RoutePath)", "https://api.example.com/a/https://o.example"),
    ]

    @Test(arguments: interpolations) func `A value interpolated into a path is one segment`(row: Row) throws {
        try check(row)
    }

    private static let orders: [Row] = [
        Row(Route.get("s").query("b", 1).query("a", 2), "https://api.example.com/s?b=1&a=2"),
        Row(Route.get("s").query(["x": 1, "y": nil, "x": 2]), "https://api.example.com/s?x=1&x=2"),
        Row(Route.get("s").query("a b&c", 1), "https://api.example.com/s?a%20b%26c=1"),
        Row(Route.get("s").parameters(["p": 1]).query("q", 2), "https://api.example.com/s?q=2&p=1"),
        Row(Route.get("s?z=0").parameters(["p": 1]), "https://api.example.com/s?z=0&p=1"),
        Row(Route.get("s").parameters([:]), "https://api.example.com/s"),
        Row(Route.get("s").parameters(["p": nil]), "https://api.example.com/s"),
        Row(Route.get("s").query("p", [Int]()), "https://api.example.com/s"),
        Row(Route.get("s?z").query("p", [Int]()), "https://api.example.com/s?z"),
        Row(
            Route.get("s").parameters(Parameters(Filter(name: "n", tags: [], limit: 3))),
            "https://api.example.com/s?name=n&limit=3"),
        Row(Route.get("s").parameters(Parameters(["b": 1, "a": 2])), "https://api.example.com/s?a=2&b=1"),
        Row(Route.head("s").parameters(["p": 1]), "https://api.example.com/s?p=1"),
        Row(Route.delete("s").parameters(["p": 1]), "https://api.example.com/s?p=1"),
        Row(Route.post("s").parameters(["p": 1]), "https://api.example.com/s"),
        Row(Route.post("s").parameters(["p": 1]).encoding(.query), "https://api.example.com/s?p=1"),
        Row(Route.post("s").parameters(["p": 1]).body(.text("hello")), "https://api.example.com/s?p=1"),
        Row(Route.post("s").query("v", 2).json(["p": 1]), "https://api.example.com/s?v=2"),
        Row(Route.get("https://o.example/x").query("a", 1), base: "https://h.example/?k=v", "https://o.example/x?a=1"),
        Row(Route.get("x").query("a", 1), base: "https://h.example/?k=v", "https://h.example/x?k=v&a=1"),
    ]

    @Test(arguments: orders) func `Query items keep their order`(row: Row) throws {
        try check(row)
    }

    @Test(
        arguments: [
            ("users/", "https://h.example/users/"), ("/users", "https://h.example/users"),
            ("users?next=a//b", "https://h.example/users?next=a//b"),
            ("https://other.example/x?u=//", "https://other.example/x?u=//"),
            ("a/\(raw: "b//c")", "https://h.example/a/b//c"), ("x?q=\("a")//", "https://h.example/x?q=a//"),
            ("a#b?x//\("y")//", "https://h.example/a%23b?x//y//"),
            ("https://other.example/x#a//b", "https://other.example/x"),
        ] as [(RoutePath, String)])
    func `Slashes that make no empty segment are kept`(path: RoutePath, expected: String) throws {
        let request = try Route.get(path).urlRequest(relativeTo: URL(string: "https://h.example"))
        #expect(request.url?.absoluteString == expected)
    }

    @Test(arguments: [
        "https://h.example:1", "https://h.example:65535/v1", "http://[::1]:8080", "http://[::1]",
        "https://u:p@h.example",
        "https://u:99999@h.example/a:b", "https://h.example:", "https://h.example/a:99999",
    ])
    func `A valid port, and a colon elsewhere, are accepted`(base: String) throws {
        try check(.path("x", base: base, base + "/x"))
    }

    private static let absolute: [Row] = [
        .path("http://[::1]/x", "http://[::1]/x"), .path("http://[::1]:8080/a[b]", "http://[::1]:8080/a%5Bb%5D"),
        .path("http://[fe80::1]/\("[x]")", "http://[fe80::1]/%5Bx%5D"), .path("http://[::1]", "http://[::1]"),
        .path("\(URL(string: "http://[::1]:80")!)/x", "http://[::1]:80/x"),
        .path("\(raw: "http")://[::1]/x", "http://[::1]/x"),
        .path(RoutePath(URL(string: "http://[::1]/x")!), "http://[::1]/x"),
        .path("https://o.example#top", "https://o.example"), .path("https://o.example/a#b", "https://o.example/a"),
        .path("https://o.example?q=1#b?c", "https://o.example?q=1"),
        .path("https://o.example#@evil.example/x", "https://o.example"),
        .path("https://o.example#\(raw: "@evil.example/x")", "https://o.example"),
        .path("\(raw: "https")://o.example#@evil.example", "https://o.example"),
        .path("https://o.example/\("a#b")/c#\("d")/e", "https://o.example/a%23b/c"),
        .path("\(URL(string: "https://o.example/#top")!)x", "https://o.example/x"),
        .path(RoutePath(raw: "https://o.example/a#b"), "https://o.example/a"),
        .path("https://o.example/a:b@c?d=[e]", "https://o.example/a:b@c?d=%5Be%5D"),
        .path("https://o.example/a%20b", "https://o.example/a%20b"),
        Row(Route.get("https://o.example/a#b").query("q", 1), "https://o.example/a?q=1"),
        .path("\(raw: "https")", "https://api.example.com/https"),
        .path("?u=http://o.example/[x]", "https://api.example.com?u=http://o.example/%5Bx%5D"),
        .path("a/b?u=http://o.example#c", "https://api.example.com/a/b?u=http://o.example%23c"),
        .path("a\(raw: "b#c")", "https://api.example.com/ab%23c"),
        .path("a/https://o.example", "https://api.example.com/a/https://o.example"),
        .path("1a://b[c]", "https://api.example.com/1a://b%5Bc%5D"),
        .path("\("1a")://b", "https://api.example.com/1a://b"),
        .path("1a://b#c\("%")", "https://api.example.com/1a://b%23c%25"),
        .path("\("https"):\(raw: "//o.example")", "https://o.example"),
        .path("http\(raw: "s:")/\(raw: "/o.example")/\("a")", "https://o.example/a"),
        .path("\("users"):\("//o.example")", "https://api.example.com/users:%2F%2Fo.example"),
    ]

    @Test(arguments: absolute) func `An absolute URL keeps its host, and has no fragment`(row: Row) throws {
        try check(row)
    }

    private static let hosts: [Row] = [
        .path("http://bücher.example/ä?ü", "http://xn--bcher-kva.example/%C3%A4?%C3%BC"),
        .path("http://b%C3%BCcher.example:8080/a", "http://xn--bcher-kva.example:8080/a"),
        .path("https://\("bücher").example/\("ä")", "https://xn--bcher-kva.example/%C3%A4"),
        .path(RoutePath(raw: "http://日本語.example"), "http://xn--wgv71a119e.example"),
        .path(RoutePath(URL(string: "http://bücher.example/a")!), "http://xn--bcher-kva.example/a"),
        .path("http://ü%20x:p@bücher.example/", "http://%C3%BC%20x:p@xn--bcher-kva.example/"),
        .path("http://[fe80::1%25en0]:80/x", "http://[fe80::1%25en0]:80/x"),
        .path("http://a_b~c.example/", "http://a_b~c.example/"),
        Row(Route.get("x").host("bücher.example"), "https://xn--bcher-kva.example/x"),
    ]

    @Test(arguments: hosts) func `A host outside ASCII is sent in punycode`(row: Row) throws {
        try check(row)
    }

    private static let colons: [Row] = [
        .path("users:list", "https://api.example.com/users:list"),
        .path("v1/a:b", "https://api.example.com/v1/a:b"),
        .path("v1/mailto:b", "https://api.example.com/v1/mailto:b"),
        .path("/mailto:a", "https://api.example.com/mailto:a"),
        .path("mailto%3Aa", "https://api.example.com/mailto%3Aa"),
        .path("mailtos:a", "https://api.example.com/mailtos:a"),
        .path("s?to=mailto:a", "https://api.example.com/s?to=mailto:a"),
        .path("\("mailto:a")", "https://api.example.com/mailto%3Aa"),
        .path("\("mailto"):publish", "https://api.example.com/mailto:publish"),
        .path(RoutePath(URL(string: "v1/a:b?c=d:e")!), "https://api.example.com/v1/a:b?c=d:e"),
        .path(RoutePath(URL(string: "s?c=d:e")!), "https://api.example.com/s?c=d:e"),
        .path(("\("mailto"):publish" as RoutePath).appending(["x"]), "https://api.example.com/mailto:publish/x"),
    ]

    @Test(arguments: colons) func `A colon in a path is kept`(row: Row) throws {
        try check(row)
    }

    @Test func `Any string in any position round-trips through the URL`() throws {
        var random = SeededGenerator(seed: 20_260_101)
        let base = try #require(URL(string: "https://h.example/base"))
        for _ in 0..<2_000 {
            let segment = random.text(1...12, avoiding: [".", ".."])
            let name = random.text(1...8)
            let value = random.text(0...12)
            let url = try #require(Route.get("x/\(segment)/y").query(name, value).urlRequest(relativeTo: base).url)
            let parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
            let segments = parts.percentEncodedPath.split(separator: "/").map { String($0).removingPercentEncoding }
            #expect(segments == ["base", "x", segment, "y"])
            let item = try #require(parts.queryItems?.first)
            #expect(item.name == name && item.value == value)
            #expect(parts.queryItems?.count == 1)
        }
    }
}

enum Color: String, Codable {
    case red, green
}

struct Filter: Codable {
    var name: String
    var tags: [String]
    var limit: Int?
}
