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

    @Test func `A route becomes a command`() throws {
        for (route, command) in Self.commands {
            #expect(try route.curl(relativeTo: URL(string: "https://api.example.com/v1")) == "curl \(command)")
        }
    }

    #if os(Linux) || os(macOS)
        private let values = "TOKEN='the token'; SESSION='the session'; API_KEY='the key'; PASSWORD='the password'"

        /// The words that a shell passes to curl.
        private func words(_ line: String) throws -> [String] {
            let output = try Process.output(
                of: "/bin/sh", "-c", "curl() { printf '%s\\0' \"$@\"; }; \(values); \(line)")
            return String(decoding: output, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
                .dropLast().map(String.init)
        }

        @Test(.mocks)
        func `Each secret becomes a variable of the shell, so that the line can be sent again`() async throws {
            Mocks.set("login", .status(403))
            let client = try APIClient { $0.authorization = .bearer("s3cret-bearer") }
            let route = Route.post("https://h.example/login").query("api_key", "s3cret-key")
                .header("X-Session", "s3cret-session").json(["user": "u", "password": "s3cret-password"])
                .authorization(.anywhere).mock("login")
            let error = try await failure { try await client.send(route) }
            let line = try #require(error.curl)
            #expect((Mocks.calls.first?.curl, line.contains("s3cret")) == (line, false))
            let shown = try words(line).filter { $0.contains("the ") }
            #expect(
                shown == [
                    "Authorization: Bearer the token", "X-Session: the session",
                    #"{"password":"the password","user":"u"}"#, "https://h.example/login?api_key=the key",
                ])
        }
    #endif

    @Test func `A credential under a harmless name is not shown`() async throws {
        let credential = Authorization.custom(header: "X-Plain", value: "s3cret-plain-value")
        for authorization in [credential, .dynamic { credential }] {
            try await APIScope(environment: .testing()).run {
                Mocks.set("me", .sequence([.status(500), .status(200)]))
                let client = try APIClient { $0.authorization = authorization }
                let route = Route.get("me/s3cret-plain-value").mock("me")
                let error = try await failure(.status(500)) { try await client.send(route) }
                try await client.send(route)
                for curl in [error.curl] + Mocks.calls.map(\.curl) {
                    #expect(curl?.contains(#"-H 'X-Plain: '"$PLAIN_TOKEN""#) == true, "\(curl ?? "")")
                }
                var text = "\(error.curl ?? "") \(Mocks.calls.map { "\($0.curl ?? "") \($0.history)" })"
                dump(Mocks.calls, to: &text)
                #expect((Mocks.calls.map(\.error?.kind), text.contains("s3cret")) == ([.status(500), nil], false))
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

    /// Texts before a secret, and the names of its variable.
    private static let variables = [
        "Authorization: Bearer ": "TOKEN", "Proxy-Authorization: Basic ": "PROXY_AUTHORIZATION",
        "X-Api-Key: ": "API_KEY", "Cookie: ": "COOKIE", "https://h.example/?access_token=": "ACCESS_TOKEN",
        "user%5Bpassword%5D=": "PASSWORD", "clientSecret=": "CLIENT_SECRET",
        // Not variables that the shell has already.
        "pwd=": "PWD_TOKEN", "https://user:": "USER_TOKEN", "X-Path: ": "PATH_TOKEN",
        "https://h.example/": "TOKEN", "https://": "TOKEN", "é=": "TOKEN", "": "TOKEN",
    ]

    @Test func `A variable has the name of its secret`() throws {
        for (before, variable) in Self.variables {
            var request = URLRequest(url: try #require(URL(string: "https://h.example")))
            (request.httpMethod, request.httpBody) = ("POST", Data("\(before)s3cret-of-env".utf8))
            let line = CurlCommand(request, CallSecrets(credentials: ["s3cret-of-env"])).text
            #expect(line.contains("\"$\(variable)\" 'https"), "\(line)")
        }
    }
}
