import CallSupport

@testable import Fingerpost

/// Routes and base URLs that do not make a URL.
extension URLBuildingTests {
    /// The error for a route that makes no URL.
    private static func rejection(of route: Route, relativeTo base: String = "https://h.example") -> String {
        routeFailure { try route.urlRequest(relativeTo: URL(string: base)) }
    }

    @Test func `A value that makes its segment empty or a dot segment is rejected`() {
        let paths: [RoutePath] = [
            "users/\("")", "users/\(".")", "users/\("..")/x", "\("..")", "a/\("")/b", "\(".")\(".")/x", "x/.\(".")",
            "a/\("")?q=1", "users//repos", "//users", "users//", "https://h.example//x", "\("a")//\("b")",
            "users//\("a")", "a/\(raw: "b")//c", "\("v1/" as RoutePath)/users", "v1/\("/users" as RoutePath)",
            "a#b//c",
        ]
        for path in paths {
            let rejection = Self.rejection(of: .get(path))
            #expect(rejection.hasPrefix("invalid route: ") && rejection.contains("segment"), "\(path): \(rejection)")
        }
    }

    @Test func `A base URL without http scheme or host, or with a fragment, is rejected`() {
        let bases = [
            "api.example.com", "//api.example.com", "https://", "https:///x", "ftp://h.example", "mailto:a@b.example",
            "https://h.example#top", "https://h.example/#/v1", "https://h.example/api?q#",
        ]
        let fragment = "has a fragment, which is never sent. Fix: remove the # and what follows it"
        for base in bases {
            let rejection = Self.rejection(of: .get("x"), relativeTo: base)
            let words = base.contains("#") ? fragment : ". Fix: "
            #expect(rejection.hasPrefix("invalid route: ") && rejection.contains(words), "\(base): \(rejection)")
        }
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

    @Test func `An invalid port, and a host that no server can have, are rejected wherever the URL comes from`() throws
    {
        let (port, host) = ("has a port that is not in 1...65535", "has the host")
        for (text, flaw) in [
            ("https://h.example:99999", port), ("https://u:p@h.example:0/x?y", port), ("http://[::1]:65536", port),
            ("https://a%20b.example", host), ("https://a,b.example/x", host), ("https://a$b.example", host),
            ("https://%2C.example/a/b", host), ("https://a%2Fb.example", host), ("https://[::g]/x", host),
            ("https://[1:2]", host), ("https://[fe80::1%25]/x", host), ("https://(a)", host),
        ] {
            // Foundation refuses some of the hosts.
            guard let url = URL(string: text) else {
                #expect(flaw == host, "\(text)")
                continue
            }
            for (route, base, name) in [
                (Route.get("x"), url, "the base URL"), (.get(RoutePath(url)), nil, "the URL"),
                (.get(RoutePath(raw: text)), nil, "the URL"),
                (.get("https://h.example").configure { $0.url = url }, nil, "the URL"),
            ] {
                let rejection = routeFailure { try route.urlRequest(relativeTo: base) }
                #expect(rejection.hasPrefix("invalid route: \(name)") && rejection.contains(flaw), "\(rejection)")
            }
        }
        let route = Route { ($0.path, $0.host, $0.port) = ("x", "h.example", 99_999) }
        let rejection = routeFailure { try route.urlRequest() }
        #expect(rejection.hasPrefix("invalid route: ") && rejection.contains(port), "\(rejection)")
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
    func `A URL with two schemes or an empty name in its host is rejected`(text: String, flaw: String?) {
        let url = URL(string: text)!
        for (route, base) in [(Route.get(RoutePath(url)), nil), (.get("x"), url)] {
            let rejection = routeFailure { try route.urlRequest(relativeTo: base) }
            let isExpected = flaw.map { rejection.hasPrefix("invalid route: ") && rejection.contains($0) }
            #expect(isExpected ?? rejection.hasPrefix("no error"), "\(rejection)")
        }
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

    @Test func `A path without a base URL, one that is no http URL, or a URL beside a host is rejected`() {
        let schemes: [RoutePath] = [
            "mailto:a@b.example", "MAILTO:a@b.example", "javascript:alert(1)", "tel:+123", "https:h.example/x",
            "http:/h.example/x", "\(raw: "mailto:a@b.example")", "\(URL(string: "data:text/plain,x")!)/x",
            RoutePath(URL(string: "data:text/plain,x")!),
            RoutePath(URL(string: "mailto:a@b.example")!).appending(["x"]),
        ]
        let seen = schemes.map { Self.rejection(of: .get($0)) }
        #expect(
            seen
                == schemes.map {
                    "invalid route: \"\($0)\" is neither a path nor an http URL. "
                        + "Fix: start a URL with https:// or http://, or write %3A for the colon of a path"
                })
        let twice = [
            Route.get("https://o.example/x").host("h.example"),
            Route { ($0.path, $0.port) = ("https://o.example/x", 8080) },
            Route { ($0.path, $0.scheme) = ("https://o.example/x", "http") },
            Route { ($0.path, $0.host, $0.scheme, $0.port) = ("https://o.example", "h.example", "http", 1) },
        ]
        #expect(
            Set(twice.map { Self.rejection(of: $0) }) == [
                "invalid route: the path is an absolute URL, but the route also sets a host, scheme or port. "
                    + "Fix: write them into the URL, or make the path relative"
            ])
        let others = ["users", "ftp://h.example/x", "https:///x", "file:///etc/passwd", "https://h%FF.example/"]
        let rejections = others.map { path in routeFailure { try Route.get(RoutePath(raw: path)).urlRequest() } }
        #expect(rejections.filter { !$0.hasPrefix("invalid route: ") } == [])
        #expect(rejections[0].contains("no base URL"), "\(rejections[0])")
    }
}
