import CallSupport
import FingerpostStreams
import FingerpostTesting

@testable import Fingerpost

/// Requests as commands for a shell.
@Suite(.inTurn) struct CurlCommandTests {
    private static let x = "'https://api.example.com/v1/x'"

    private static let commands: [(Route, String)] = [
        (
            .get("users/\("a b")").query("q", "1+1").header(.accept, "text/plain"),
            "-H 'Accept: text/plain' 'https://api.example.com/v1/users/a%20b?q=1%2B1'"
        ),
        (
            .post("x").body(.text("<a><b:password>hunter-two</b:password></a>")),
            "-X 'POST' -H 'Content-Type: text/plain; charset=utf-8' --data-raw "
                + "'<a><b:password>'\"$PASSWORD\"'</b:password></a>' \(x)"
        ),
        (.post("x").json(["a": 1]), "-X 'POST' -H 'Content-Type: application/json' --data-raw '{\"a\":1}' \(x)"),
        (.head("x"), "--head \(x)"),
        (
            .put("x").body(.stream(BodyStream { InputStream(data: Data()) })),
            "-X 'PUT' -H 'Content-Type: application/octet-stream' --data-binary @body \(x)"
        ),
    ]

    @Test(arguments: commands) func `A route becomes a command`(route: Route, command: String) throws {
        #expect(try route.curl(relativeTo: URL(string: "https://api.example.com/v1")) == "curl \(command)")
    }

    #if os(Linux) || os(macOS)
        private let variables = "TOKEN='the token'; SESSION='the session'; API_KEY='the key'; PASSWORD='the password'"

        /// The words that a shell passes to curl.
        private func words(_ line: String) throws -> [String] {
            let output = try Process.output(
                of: "/bin/sh", "-c", "curl() { printf '%s\\0' \"$@\"; }; \(variables); \(line)")
            return String(decoding: output, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
                .dropLast().map(String.init)
        }

        @Test(.mocks)
        func `Each secret becomes a variable of the shell, so that the line can be sent again`() async throws {
            Mocks.set("login", .status(403))
            let client = try APIClient { $0.authorization = .bearer("s3cret-bearer") }
            let route = Route.post("login").query("api_key", "s3cret-key").header("X-Session", "s3cret-session")
                .json(["user": "u", "password": "s3cret-password"]).mock("login")
            let error = try await failure { try await client.send(route) }
            let line = try #require(error.curl)
            #expect(!line.contains("s3cret"), "\(line)")
            #expect(Mocks.calls.first?.curl == line)
            let words = try words(line)
            #expect(words.contains("Authorization: Bearer the token") && words.contains("X-Session: the session"))
            #expect(words.contains(#"{"password":"the password","user":"u"}"#))
            #expect(words.last?.hasSuffix("/login?api_key=the key") == true)
        }
    #endif

    @Test(arguments: [false, true])
    func `A credential under a harmless name is not shown`(isDynamic: Bool) async throws {
        let credential = Authorization.custom(header: "X-Plain", value: "s3cret-plain-value")
        try await APIScope(environment: .testing()).run {
            Mocks.set("me", .sequence([.status(500), .status(200)]))
            let client = try APIClient { $0.authorization = isDynamic ? .dynamic { credential } : credential }
            let route = Route.get("me/s3cret-plain-value").mock("me")
            let error = try await failure { try await client.send(route) }
            try await client.send(route)
            #expect(Mocks.calls.map(\.error?.kind) == [.status(500), nil])
            for call in Mocks.calls {
                var text = "\(call.curl ?? "") \(error.curl ?? "") \(call.history)"
                #expect(text.contains(#"-H 'X-Plain: '"$PLAIN_TOKEN""#), "\(text)")
                dump(call, to: &text)
                #expect(!text.contains("s3cret"), "\(text)")
            }
        }
    }

    @Test func `Environment secrets are not part of the line`() async throws {
        let environment = try Environment(
            "Live", values: ["baseURL": "https://h.example", "key": "pa55word-of-env", "$secrets": ["key"]])
        let client = try StubTransport(500).client(in: environment)
        let error = try await failure { try await client.send(Route.get("hooks/pa55word-of-env")) }
        #expect(error.curl == "curl -H 'Accept: */*' 'https://h.example/hooks/'\"$KEY\"")
    }

    @Test func `A call that could not be built has no command`() async throws {
        let error = try await failure { try await StubTransport(200).client().send(Route.get("x").method("A B")) }
        #expect(error.curl == nil)
    }

    @Test(arguments: [
        ("Authorization: Bearer ", "TOKEN"), ("Proxy-Authorization: Basic ", "PROXY_AUTHORIZATION"),
        ("X-Api-Key: ", "API_KEY"), ("Cookie: ", "COOKIE"), ("https://h.example/?access_token=", "ACCESS_TOKEN"),
        ("user%5Bpassword%5D=", "PASSWORD"), ("clientSecret=", "CLIENT_SECRET"),
        // Not variables that the shell has already.
        ("pwd=", "PWD_TOKEN"), ("https://user:", "USER_TOKEN"), ("X-Path: ", "PATH_TOKEN"),
        ("https://h.example/", "TOKEN"), ("https://", "TOKEN"), ("é=", "TOKEN"), ("", "TOKEN"),
    ])
    func `A variable has the name of its secret`(before: String, variable: String) throws {
        var request = URLRequest(url: try #require(URL(string: "https://h.example")))
        (request.httpMethod, request.httpBody) = ("POST", Data("\(before)s3cret-of-env".utf8))
        let line = CurlCommand(request, CallSecrets(credentials: ["s3cret-of-env"])).text
        #expect(line.contains("\"$\(variable)\" 'https"), "\(line)")
    }
}
