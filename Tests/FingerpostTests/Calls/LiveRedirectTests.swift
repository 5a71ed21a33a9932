import CallSupport

@testable import Fingerpost

@Suite("Live: redirects", .inTurn, .concurrent)
struct LiveRedirectTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: HTTPMethod
        let leavesOrigin: Bool

        /// RFC 9110 section 15.4.
        var follower: HTTPMethod {
            switch (status, method) {
            case (303, .put), (303, .post), (301, .post), (302, .post): .get
            default: method
            }
        }
        var keepsBody: Bool { (method == .post || method == .put) && follower == method }
        var testDescription: String { "\(status) \(method) \(leavesOrigin ? "elsewhere" : "here")" }

        static let all = [301, 302, 303, 307, 308].flatMap { status in
            [HTTPMethod.get, .head, .post, .put].flatMap { method in
                [false, true].map { Case(status: status, method: method, leavesOrigin: $0) }
            }
        }
    }

    @Test("Method, body and credentials follow the rules", arguments: Case.all)
    func rules(_ expected: Case) async throws {
        let elsewhere = try LoopbackServer { _, connection in connection.respond(200, body: "[]") }
        let server = try LoopbackServer { request, connection in
            let target = (expected.leavesOrigin ? elsewhere.baseURL.absoluteString : "") + "/target"
            let isStart = request.path == "/start"
            connection.respond(isStart ? expected.status : 200, headers: ["Location": target], body: "[]")
        }
        var route = Route(method: expected.method, path: "start")
            .header(.authorization, "Bearer open-sesame").header(.cookie, "session=open-sesame")
            .header("X-Api-Key", "open-sesame").header("X-Trace", "7")
        if expected.method == .post || expected.method == .put { route = route.json(["n": 1]) }

        let response = try await APIClient(baseURL: server.baseURL).response(for: route, as: Data.self)

        let target = expected.leavesOrigin ? elsewhere : server
        let method = expected.follower.rawValue
        let headers: [String: String?] = [
            "Content-Type": expected.keepsBody ? "application/json" : nil, "Host": "127.0.0.1:\(target.port)",
            "Accept": "*/*", "X-Trace": "7", "Authorization": expected.leavesOrigin ? nil : "Bearer open-sesame",
            "Cookie": expected.leavesOrigin ? nil : "session=open-sesame",
            "X-Api-Key": expected.leavesOrigin ? nil : "open-sesame",
        ]
        let request = try #require(target.requests.last)
        let received = Dictionary(uniqueKeysWithValues: headers.keys.map { ($0, request[$0]) })
        let seen = (request.target, request.method, request.text, received)
        #expect(seen == ("/target", method, expected.keepsBody ? #"{"n":1}"# : "", headers))
        let (sent, body) = (response.request, Data((expected.method == .head ? "" : "[]").utf8))
        let count = server.requestCount + elsewhere.requestCount
        #expect((response.status, response.data, response.attempts, count) == (200, body, 2, 2))
        #expect((sent.url?.absoluteString, sent.httpMethod) == ("\(target.baseURL)/target", method))
    }

    @Test func `A Location is resolved according to RFC 3986, and its invalid characters are escaped`() throws {
        let current = try #require(URL(string: "http://h.example:81/a/b/c?d=e"))
        let rows: [(location: String, target: String?)] = [
            ("dump?rel", "/a/b/dump?rel"), ("?q=1", "/a/b/c?q=1"),
            ("?next=http://h.example/y", "/a/b/c?next=http://h.example/y"),
            ("x?next=http://h.example", "/a/b/x?next=http://h.example"), ("../x", "/a/x"), ("./x", "/a/b/x"),
            ("..", "/a/"), (".", "/a/b/"), ("../../../../x", "/x"), ("/x/./y/../z", "/x/z"), ("/root", "/root"),
            ("x#fragment", "/a/b/x"), ("//HOST/x", "/x"), ("http://HOST", ""), ("HTTP://HOST/x?y=z", "/x?y=z"),
            ("/a space", "/a%20space"), ("/a%20space", "/a%20space"),
            ("/a%20space and another", "/a%20space%20and%20another"), ("/x?q=a b%20c", "/x?q=a%20b%20c"),
            ("/naïve", "/na%C3%AFve"), ("/na%C3%AFve ï", "/na%C3%AFve%20%C3%AF"), ("/100%", "/100%25"),
            ("/%2e%2E%2Fx", "/%2e%2E%2Fx"), ("/a|b^c\"d<e>`{f}\\g", "/a%7Cb%5Ec%22d%3Ce%3E%60%7Bf%7D%5Cg"),
            ("/x?a=1+2&b[]=[3]%20", "/x?a=1+2&b%5B%5D=%5B3%5D%20"),
            ("//HOST/[1]%20?to=http://[::1]/%20", "/%5B1%5D%20?to=http://%5B::1%5D/%20"), ("a:b", nil),
            ("http:x", nil), ("//", nil), ("//HOST:abc/", nil), ("./a:b", "/a/b/a:b"),
            ("/t  ", "/t"), ("/t\t", "/t"), ("  /t?x=y \t", "/t?x=y"), ("/t?", "/t?"), ("http://HOST/a? ", "/a?"),
        ]
        for (location, target) in rows {
            let url = Redirects.resolve(
                location.replacingOccurrences(of: "HOST", with: "h.example:81"), against: current)
            let text = url?.absoluteString.replacingOccurrences(of: "HTTP:", with: "http:")
            #expect(text == target.map { "http://h.example:81" + $0 }, "\(location)")
        }
    }

    @Test("Credentials are not sent again when a chain of redirects returns to the first origin")
    func thereAndBack() async throws {
        let elsewhere = try LoopbackServer { request, connection in
            connection.respond(307, headers: ["Location": request.query ?? ""])
        }
        let server = try LoopbackServer { request, connection in
            let target = "\(elsewhere.baseURL)/?http://\(request["Host"] ?? "")/x/../back"
            connection.respond(request.path == "/start" ? 307 : 200, headers: ["Location": target])
        }
        let route = Route.get("start").header(.authorization, "Bearer open-sesame")
        let response = try await APIClient(baseURL: server.baseURL).response(for: route, as: Data.self)
        let received = server.requests.map { "\($0.path) \($0["Authorization"] ?? "-")" }
        #expect((response.attempts, received) == (3, ["/start Bearer open-sesame", "/back -"]))
    }

    @Test("Twenty redirects are followed, but not 21", arguments: [20, 21]) func limit(_ length: Int) async throws {
        let server = try LoopbackServer { request, connection in
            let number = Int(request.path.dropFirst()) ?? 0
            connection.respond(
                number == length ? 200 : 302, headers: ["Location": "/\(number + 1)"], body: "there")
        }
        let list = CallList()
        let client = APIClient(baseURL: server.baseURL) { $0.observers = [list] }
        if length == 20 {
            #expect(try await client.send(Route.get("0"), as: String.self) == "there")
        } else {
            let error = try await failure { try await client.send(Route.get("0")) }
            #expect((error.message.contains("20"), error.attempts) == (true, 21))
        }
        let line = "GET 0 \(length == 20 ? "200" : "transport")"
        #expect((list.lines, list.calls.map(\.attempts), server.requestCount) == ([line], [21], 21))
    }

    @Test(
        "Other 3xx statuses, and redirects without a Location, are errors like any other status",
        arguments: [
            (300, "/x"), (304, "/x"), (305, "/x"), (306, "/x"), (300, nil), (301, nil), (302, nil), (303, nil),
            (307, nil), (308, nil), (399, "/x"),
        ] as [(Int, String?)])
    func notFollowed(_ status: Int, _ location: String?) async throws {
        let server = try LoopbackServer { _, connection in
            let headers: KeyValuePairs = location.map { ["Location": $0] } ?? [:]
            connection.respond(status, headers: headers, body: #"{"message": "choose"}"#)
        }
        let client = APIClient(baseURL: server.baseURL)
        let error = try await failure(.status(status)) { try await client.send(Route.get("x")) }
        // Foundation on Linux drops the body of a redirect without a Location.
        if location != nil, status != 304 { #expect(error.serverMessage == "choose") }
        let isNamed = error.message.contains("without a Location")
        let hasSize = error.description.contains("\(status), 21 bytes")
        let seen = (error.headers[.location], isNamed, hasSize, server.requestCount)
        #expect(seen == (location, location == nil && status != 300, status != 304, 1), "\(error)")
    }

    @Test(
        "A Location with another scheme than http or https fails the call",
        arguments: [
            "ftp://127.0.0.1/x", "file:///etc/hostname", "mailto:a@example.com", "data:,x", "http:///x",
            "javascript:alert(1)", "#top", "//127.0.0.1:99999/x",
        ])
    func refused(_ location: String) async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(302, headers: ["Location": location], body: #"{"message": "go"}"#)
        }
        let client = APIClient(baseURL: server.baseURL)
        let error = try await failure(.status(302)) { try await client.send(Route.get("x")) }
        #expect(["not followed", "its Location \"", "\(location)\""].allSatisfy(error.message.contains), "\(error)")
        #expect((error.headers[.location], error.serverMessage, server.requestCount) == (location, "go", 1))
    }

    @Test("An error status after a redirect names the URL that failed and where it came from")
    func toAnError() async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(request.path == "/gone" ? 404 : 302, headers: ["Location": "/gone"])
        }
        let client = APIClient(baseURL: server.baseURL)
        let error = try await failure { try await client.send(Route.get("x").query("token", "s3cret")) }
        let isFrom = error.description.contains("\n  came from:   GET \(server.baseURL)/x?token=")
        #expect(error.request == "GET \(server.baseURL)/gone" && isFrom && !error.description.contains("s3cret"))
        let direct = try await failure { try await client.send(Route.get("gone")) }
        #expect(!direct.description.contains("came from"))
    }
}
