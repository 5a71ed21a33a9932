import CallSupport

@testable import Fingerpost

/// Routes and base URLs that do not make a URL.
extension URLBuildingTests {
    private static func request(_ route: Route, relativeTo base: String = "https://h.example") throws -> URLRequest {
        try route.urlRequest(relativeTo: URL(string: base))
    }

    @Test(
        arguments: [
            "users/\("")", "users/\(".")", "users/\("..")/x", "\("..")", "a/\("")/b", "\(".")\(".")/x", "x/.\(".")",
            "a/\("")?q=1", "users//repos", "//users", "users//", "https://h.example//x", "\("a")//\("b")",
            "users//\("a")", "a/\(raw: "b")//c", "\("v1/" as RoutePath)/users", "v1/\("/users" as RoutePath)",
            "a#b//c",
        ] as [RoutePath])
    func `A value that makes its segment empty or a dot segment is rejected`(path: RoutePath) throws {
        let error = try failure(.invalidRoute) { try Self.request(.get(path)) }
        #expect(error.message.contains("segment"))
    }

    @Test(arguments: [
        "api.example.com", "//api.example.com", "https://", "https:///x", "ftp://h.example", "mailto:a@b.example",
    ])
    func `A base URL without http scheme or host is rejected`(base: String) throws {
        #expect(try failure(.invalidRoute) { try Self.request(.get("x"), relativeTo: base) }.fix != nil)
    }

    private static let flaws: [(String, String)] = [
        ("https://h.example:99999", "has a port that is not in 1...65535"),
        ("https://h.example:65536/v1", "has a port that is not in 1...65535"),
        ("https://h.example:0", "has a port that is not in 1...65535"),
        ("https://h.example:abc/v1", "has a port that is not in 1...65535"),
        ("https://h.example:-1", "has a port that is not in 1...65535"),
        ("https://h.example:+80", "has a port that is not in 1...65535"),
        ("https://[::1]:99999999999999999999/x", "has a port that is not in 1...65535"),
        ("https://h example", "is not a URL"), ("https://h.example:80:90", "is not a URL"),
        ("https://[::1", "is not a URL"), ("1http://h.example", "is not a URL"), ("", "is not a URL"),
        ("h.example", "is not a URL with a scheme"), ("h.example:80/x", "is not a URL with a scheme"),
        (" https://h.example", "is a URL with white space around it"),
        ("ftp://h.example", "has the scheme \"ftp\""), ("https:///x", "is a URL without a host"),
        ("https://h.example/api#top", "has a fragment"), ("https://a%20b.example", "has the host"),
        ("https://a,b.example", "has the host"), ("https://[1:2]/x", "has the host"),
    ]

    @Test(arguments: flaws)
    func `An invalid base URL of an environment is reported with its flaw`(base: String, flaw: String) async throws {
        let error = await #expect(throws: (any Error).self) {
            let environment = try Environment("X", values: ["baseURL": base])
            try await StubTransport(200).client(in: environment).send(Route.get("x"))
        }
        #expect(error.map { "\($0)".contains(flaw) } == true)
    }

    @Test(arguments: ["https://h.example:99999", "https://u:p@h.example:0/x?y", "http://[::1]:65536"])
    func `An invalid port is rejected wherever the URL comes from`(text: String) throws {
        let url = try #require(URL(string: text))
        let errors = [
            try failure(.invalidRoute) { try Route.get("x").urlRequest(relativeTo: url) },
            try failure(.invalidRoute) { try Route.get(RoutePath(url)).urlRequest() },
            try failure(.invalidRoute) { try Route.get("https://h.example").configure { $0.url = url }.urlRequest() },
            try failure(.invalidRoute) {
                try Route { ($0.path, $0.host, $0.port) = ("x", "h.example", 99_999) }.urlRequest()
            },
        ]
        for (error, name) in zip(errors, ["the base URL", "the URL", "the URL", ""]) {
            #expect(error.message.hasSuffix("has a port that is not in 1...65535") && error.message.hasPrefix(name))
        }
    }

    @Test(
        arguments: [
            "https://a%20b.example", "https://a,b.example/x", "https://a$b.example", "https://%2C.example/a/b",
            "https://a%2Fb.example", "https://[::g]/x", "https://[1:2]", "https://[fe80::1%25]/x", "https://(a)",
        ].compactMap(URL.init))
    func `A host that no server can have is rejected wherever the URL comes from`(url: URL) throws {
        for (route, base) in [
            (Route.get(RoutePath(url)), nil), (.get(RoutePath(raw: url.absoluteString)), nil),
            (.get("https://h.example").configure { $0.url = url }, nil), (.get("x"), url),
        ] {
            let error = try failure(.invalidRoute) { try route.urlRequest(relativeTo: base) }
            #expect(error.message.contains("has the host"), "\(error.message)")
        }
    }

    @Test(
        arguments: [
            ("http://http://127.0.0.1:8080", "has two schemes"), ("https://https//api.example", "has two schemes"),
            ("http://https:/api.example", "has two schemes"), ("https://HTTP://api.example/x?y", "has two schemes"),
            ("https://u:p@https://api.example", "has two schemes"),
            ("https://api..example.com", #"has the host "api..example.com", in which"#),
            ("http://.example.com/x", #"has the host ".example.com", in which"#),
            ("https://api.example.com..", #"has the host "api.example.com..", in which"#),
            ("https://api.example.com.", nil), ("https://https/v1", nil), ("http://http:8080/x", nil),
            ("https://httpbin.example//x", nil),
        ] as [(String, String?)])
    func `A URL with two schemes or an empty name in its host is rejected`(text: String, flaw: String?) throws {
        let url = try #require(URL(string: text))
        for (route, base) in [(Route.get(RoutePath(url)), nil), (.get("x"), url)] {
            guard let flaw else {
                _ = try route.urlRequest(relativeTo: base)
                continue
            }
            let error = try failure(.invalidRoute) { try route.urlRequest(relativeTo: base) }
            #expect(error.message.contains(flaw), "\(error.message)")
        }
    }

    @Test(arguments: ["https://h.example#top", "https://h.example/#/v1", "https://h.example/api?q#"])
    func `A base URL has no fragment`(base: String) throws {
        let error = try failure { try Self.request(.get("x"), relativeTo: base) }
        #expect(error.message.hasSuffix("has a fragment, which is never sent"))
        #expect(error.fix == "remove the # and what follows it")
    }

    @Test func `A relative path without a base URL is rejected`() throws {
        let error = try failure(.invalidRoute) { try Route.get("users").urlRequest() }
        #expect(error.message.contains("no base URL"))
    }

    @Test(
        arguments: [
            "http://other.example/?", "http://", "", "https:", "https://other.example", "http://other.example#",
            "https://user@", "ht tp", "https\n", "https\0", "//", "ftp", "file",
        ])
    func `A scheme cannot change the host`(scheme: String) throws {
        let route = Route { ($0.path, $0.host, $0.scheme) = ("x", "h.example", scheme) }
        #expect(try failure(.invalidRoute) { try route.urlRequest() }.message.contains("scheme"))
    }

    @Test(arguments: [1.0, -1]) func `A date that cannot be written is rejected`(sign: Double) throws {
        for dates in [QueryDialect.DateStyle.iso8601, .secondsSince1970, .millisecondsSince1970] {
            for seconds in [Double.nan, .infinity] + (dates == .iso8601 ? [1e12, 1e300] : []) {
                let dialect = QueryDialect(dates: dates)
                let date = Date(timeIntervalSince1970: sign * seconds)
                let route = Route.get("http://h.example").query("d", date).dialect(dialect)
                #expect(try failure(.encoding) { try route.urlRequest() }.codingPath == "d")
            }
        }
    }

    @Test(arguments: ["ftp://h.example/x", "https:///x", "file:///etc/passwd", "https://h%FF.example/"])
    func `An absolute path must be an http URL with a host`(path: String) throws {
        try failure(.invalidRoute) { try Route.get(RoutePath(raw: path)).urlRequest() }
    }

    @Test(
        arguments: [
            "mailto:a@b.example", "MAILTO:a@b.example", "javascript:alert(1)", "tel:+123", "https:h.example/x",
            "http:/h.example/x", "\(raw: "mailto:a@b.example")", "\(URL(string: "data:text/plain,x")!)/x",
            RoutePath(URL(string: "data:text/plain,x")!),
            RoutePath(URL(string: "mailto:a@b.example")!).appending(["x"]),
        ] as [RoutePath])
    func `A path that starts with another URL scheme is rejected`(path: RoutePath) throws {
        let error = try failure(.invalidRoute) { try Self.request(.get(path)) }
        #expect(error.message == "\"\(path)\" is neither a path nor an http URL")
        #expect(error.fix == "start a URL with https:// or http://, or write %3A for the colon of a path")
    }

    @Test(arguments: [
        Route.get("https://o.example/x").host("h.example"),
        Route { ($0.path, $0.port) = ("https://o.example/x", 8080) },
        Route { ($0.path, $0.scheme) = ("https://o.example/x", "http") },
        Route { ($0.path, $0.host, $0.scheme, $0.port) = ("https://o.example", "h.example", "http", 1) },
    ])
    func `A host, scheme or port together with an absolute path is rejected`(route: Route) throws {
        let error = try failure(.invalidRoute) { try Self.request(route) }
        #expect(error.message == "the path is an absolute URL, but the route also sets a host, scheme or port")
        #expect(error.fix == "write them into the URL, or make the path relative")
    }
}
