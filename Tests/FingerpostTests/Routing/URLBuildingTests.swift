import FingerpostFiles
import FingerpostMocks
import FingerpostShared
import TestSupport

@testable import Fingerpost

@Suite(.inTurn) struct URLBuildingTests {
    /// A route, its base URL, and the expected URL, which may be a path at the usual base URL.
    struct Row: Sendable {
        static let usual = "https://api.example.com"

        let route: Route
        let base: String
        let url: String

        init(_ route: Route, base: String = usual, _ url: String) {
            (self.route, self.base) = (route, base)
            self.url = url.isEmpty || url.hasPrefix("/") || url.hasPrefix("?") ? Self.usual + url : url
        }

        /// Only a path.
        static func path(_ path: RoutePath, base: String = usual, _ url: String) -> Row {
            Row(.get(path), base: base, url)
        }
    }

    /// The rows that become another URL, each with that URL.
    private static func mistakes(_ rows: [Row]) -> [String] {
        rows.compactMap { row in
            var url: String?
            do { url = try row.route.urlRequest(relativeTo: URL(string: row.base)).url?.absoluteString } catch {
                url = "\(error)"
            }
            return url == row.url ? nil : "\(url ?? "no URL") instead of \(row.url)"
        }
    }

    private static let joins: [Row] = [
        .path("users", "/users"), .path("/users", "/users"), .path("users/", "/users/"), .path("", ""), .path("/", "/"),
        .path("users", base: "https://api.example.com/", "/users"),
        .path("/users", base: "https://api.example.com/", "/users"),
        .path("users", base: "https://api.example.com/v3", "/v3/users"),
        .path("/users", base: "https://api.example.com/v3/", "/v3/users"),
        .path("/users/7", base: "https://api.example.com/a/b//", "/a/b//users/7"),
        .path("", base: "https://api.example.com/graphql/", "/graphql/"),
        .path("", base: "https://api.example.com/", "/"),
        .path("?x=1", base: "https://api.example.com/v3/?k=1", "/v3/?k=1&x=1"), .path("users?", "/users?"),
        .path("users?", base: "https://h.example/api?key=1", "https://h.example/api/users?key=1"),
        .path("https://o.example/a?", "https://o.example/a?"), Row(Route.get("users?").query("a", 1), "/users?a=1"),
        Row(Route.get("users?").query("a", [Int]()), "/users?"), .path("", base: "https://api.example.com/v3", "/v3"),
        .path("users", base: "http://127.0.0.1:8080", "http://127.0.0.1:8080/users"),
        .path("users", base: "http://127.0.0.1:8080/api/", "http://127.0.0.1:8080/api/users"),
        .path("users", base: "HTTP://Example.com:80", "HTTP://Example.com:80/users"),
        .path("users", base: "https://h.example/api?key=1", "https://h.example/api/users?key=1"),
        .path("users", base: "https://h.example/api/?key=1&b=2", "https://h.example/api/users?key=1&b=2"),
        .path("users?x=2", base: "https://h.example/api?key=1", "https://h.example/api/users?key=1&x=2"),
        .path("users", base: "https://h.example/api?", "https://h.example/api/users?"),
        .path("users", base: "https://h.example/a%20b", "https://h.example/a%20b/users"),
        .path("\(raw: "//other.example/x")", "//other.example/x"),
        .path("https://other.example/x", "https://other.example/x"),
        .path("https://other.example", base: "https://h.example/api?key=1", "https://other.example"),
        .path("http://other.example:8080/x?y=1", "http://other.example:8080/x?y=1"),
        // Slashes that make no empty segment are kept.
        .path("users?next=a//b", "/users?next=a//b"),
        .path("https://other.example/x?u=//", "https://other.example/x?u=//"),
        .path("a/\(raw: "b//c")", "/a/b//c"), .path("x?q=\("a")//", "/x?q=a//"),
        .path("a#b?x//\("y")//", "/a%23b?x//y//"), .path("https://other.example/x#a//b", "https://other.example/x"),
    ]

    @Test func `A path is joined to its base by one slash and keeps the base's query`() {
        #expect(Self.mistakes(Self.joins) == [])
    }

    private static let prefix: RoutePath = "api/v2"

    private static let interpolations: [Row] = [
        .path("users/\("octocat")", "/users/octocat"), .path("users/\(7)/repos", "/users/7/repos"),
        .path("users/\("a b")", "/users/a%20b"), .path("users/\("a/b")", "/users/a%2Fb"),
        .path("users/\("a?b#c")", "/users/a%3Fb%23c"), .path("users/\("50%")", "/users/50%25"),
        .path("users/\("%2e%2e")", "/users/%252e%252e"), .path("users/\("a+b")", "/users/a%2Bb"),
        .path("users/\("a&b=c;d")", "/users/a%26b%3Dc%3Bd"), .path("users/\("jürgen")", "/users/j%C3%BCrgen"),
        .path("users/\("日本")", "/users/%E6%97%A5%E6%9C%AC"), .path("users/\("🦉")", "/users/%F0%9F%A6%89"),
        .path("users/\("a\nb")", "/users/a%0Ab"), .path("users/\("A-z_0.~")", "/users/A-z_0.~"),
        .path("users/\("...")", "/users/..."), .path("users/.\("")x", "/users/.x"),
        .path("\("https://evil.example")/x", "/https%3A%2F%2Fevil.example/x"),
        .path("files/\(raw: "a/b c/d%20e")", "/files/a/b%20c/d%20e"), .path("files/\(raw: "a%zz")", "/files/a%25zz"),
        .path("files/\(raw: "%4z%z4%4A")", "/files/%254z%25z4%4A"),
        .path("\(URL(string: "https://o.example/a%20b")!)/x", "https://o.example/a%20b/x"),
        .path("größe/x y", "/gr%C3%B6%C3%9Fe/x%20y"), .path("a%20b", "/a%20b"), .path("100%", "/100%25"),
        .path("issues#1", "/issues%231"), .path("a[1]|b", "/a%5B1%5D%7Cb"),
        .path("search?q=\("a&b c")", "/search?q=a%26b%20c"), .path("search?q=\("")", "/search?q="),
        .path("search?a=1?2", "/search?a=1?2"),
        .path(RoutePath(URL(string: "https://o.example/p?x=1#f")!), "https://o.example/p?x=1"),
        .path(RoutePath(raw: "users/a b"), "/users/a%20b"), .path("\(prefix)/users/\("a/b")", "/api/v2/users/a%2Fb"),
        .path("x/\(prefix)", "/x/api/v2"), .path("\("users/\("a/b")" as RoutePath)/repos", "/users/a%2Fb/repos"),
        .path("\("a?x=1" as RoutePath)&y=\("")", "/a?x=1&y="), .path("\("a/?x=1" as RoutePath)/y", "/a/?x=1/y"),
        .path("\("" as RoutePath)https://o.example/a", "https://o.example/a"),
        .path("\("v1/" as RoutePath)users", "/v1/users"),
        .path("\("https://o.example" as RoutePath)/x y#z", "https://o.example/x%20y"),
        .path("\("https://o.example/a" as RoutePath)/\("b/c")", "https://o.example/a/b%2Fc"),
        .path("a/\("https://o.example" as RoutePath)", "/a/https://o.example"),
    ]

    @Test func `A value interpolated into a path is one segment`() {
        #expect(Self.mistakes(Self.interpolations) == [])
    }

    private static let orders: [Row] = [
        Row(Route.get("s").query("b", 1).query("a", 2), "/s?b=1&a=2"),
        Row(Route.get("s").query(["x": 1, "y": nil, "x": 2]), "/s?x=1&x=2"),
        Row(Route.get("s").query("a b&c", 1), "/s?a%20b%26c=1"),
        Row(Route.get("s").parameters(["p": 1]).query("q", 2), "/s?q=2&p=1"),
        Row(Route.get("s?z=0").parameters(["p": 1]), "/s?z=0&p=1"), Row(Route.get("s").parameters([:]), "/s"),
        Row(Route.get("s").parameters(["p": nil]), "/s"), Row(Route.get("s").query("p", [Int]()), "/s"),
        Row(Route.get("s?z").query("p", [Int]()), "/s?z"),
        Row(
            Route.get("s").parameters(Parameters(Filter(name: "n", tags: [], limit: 3))),
            "https://api.example.com/s?name=n&limit=3"),
        Row(Route.get("s").parameters(Parameters(["b": 1, "a": 2])), "/s?a=2&b=1"),
        Row(Route.head("s").parameters(["p": 1]), "/s?p=1"), Row(Route.delete("s").parameters(["p": 1]), "/s?p=1"),
        Row(Route.post("s").parameters(["p": 1]), "/s"),
        Row(Route.post("s").parameters(["p": 1]).encoding(.query), "/s?p=1"),
        Row(Route.post("s").parameters(["p": 1]).body(.text("hello")), "/s?p=1"),
        Row(Route.post("s").query("v", 2).json(["p": 1]), "/s?v=2"),
        Row(Route.get("https://o.example/x").query("a", 1), base: "https://h.example/?k=v", "https://o.example/x?a=1"),
        Row(Route.get("x").query("a", 1), base: "https://h.example/?k=v", "https://h.example/x?k=v&a=1"),
    ]

    @Test func `Query items keep their order`() {
        #expect(Self.mistakes(Self.orders) == [])
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
        .path("\(raw: "https")", "/https"), .path("?u=http://o.example/[x]", "?u=http://o.example/%5Bx%5D"),
        .path("a/b?u=http://o.example#c", "/a/b?u=http://o.example%23c"), .path("a\(raw: "b#c")", "/ab%23c"),
        .path("a/https://o.example", "/a/https://o.example"), .path("1a://b[c]", "/1a://b%5Bc%5D"),
        .path("\("1a")://b", "/1a://b"), .path("1a://b#c\("%")", "/1a://b%23c%25"),
        .path("\("https"):\(raw: "//o.example")", "https://o.example"),
        .path("http\(raw: "s:")/\(raw: "/o.example")/\("a")", "https://o.example/a"),
        .path("\("users"):\("//o.example")", "/users:%2F%2Fo.example"),
    ]

    @Test func `An absolute URL keeps its host, and has no fragment`() {
        #expect(Self.mistakes(Self.absolute) == [])
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

    @Test func `A host outside ASCII is sent in punycode`() {
        #expect(Self.mistakes(Self.hosts) == [])
    }

    private static let colons: [Row] = [
        .path("users:list", "/users:list"), .path("v1/a:b", "/v1/a:b"), .path("v1/mailto:b", "/v1/mailto:b"),
        .path("/mailto:a", "/mailto:a"), .path("mailto%3Aa", "/mailto%3Aa"), .path("mailtos:a", "/mailtos:a"),
        .path("s?to=mailto:a", "/s?to=mailto:a"), .path("\("mailto:a")", "/mailto%3Aa"),
        .path("\("mailto"):publish", "/mailto:publish"),
        .path(RoutePath(URL(string: "v1/a:b?c=d:e")!), "/v1/a:b?c=d:e"),
        .path(RoutePath(URL(string: "s?c=d:e")!), "/s?c=d:e"),
        .path(("\("mailto"):publish" as RoutePath).appending(["x"]), "/mailto:publish/x"),
    ]

    @Test func `A colon in a path is kept, and a valid port`() {
        let bases = [
            "https://h.example:1", "https://h.example:65535/v1", "http://[::1]:8080", "http://[::1]",
            "https://u:p@h.example", "https://u:99999@h.example/a:b", "https://h.example:", "https://h.example/a:99999",
        ]
        #expect(Self.mistakes(Self.colons + bases.map { .path("x", base: $0, $0 + "/x") }) == [])
    }
}

struct Filter: Codable {
    var name: String
    var tags: [String]
    var limit: Int?
}
