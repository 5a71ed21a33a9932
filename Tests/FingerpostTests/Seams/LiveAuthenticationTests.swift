import CallSupport
import FingerpostMocks

@Suite("Live: authentication and secrets", .inTurn)
struct LiveAuthenticationTests {
    // With default handling, Foundation on Linux never completes a call with a Basic challenge.
    @Test(
        "A challenge fails the call with its status and body",
        arguments: [
            "Basic realm=\"x\"", "basic realm=\"x\", charset=\"UTF-8\"", "Bearer", "Bearer error=\"invalid_token\"",
            "Digest realm=\"x\", nonce=\"1\", qop=\"auth\"", "Bearer, Basic realm=\"x\"", "Unheard-Of",
        ], [false, true])
    func challenge(_ challenge: String, _ authorized: Bool) async throws {
        let server = try LoopbackServer { request, connection in
            let isOpen = request.path == "/open"
            connection.respond(
                isOpen ? 200 : 401, headers: ["WWW-Authenticate": challenge, "X-Case": "yes"],
                body: isOpen ? "open" : #"{"message": "log in"}"#)
        }
        let client = APIClient(baseURL: server.baseURL)
        var route = Route.post("private").json([1])
        if authorized { route = route.header(.authorization, "Bearer open-sesame") }
        let error = try await failure(.status(401)) { try await client.send(route) }
        let shown = [error.serverMessage, error.headers["X-Case"], error.headers[.wwwAuthenticate]]
        #expect((shown, "\(error)".contains("open-sesame")) == (["log in", "yes", challenge], false))
        // The session did not send the request again.
        let found = try await (server.requestCount, client.data(for: Route.get("open")))
        #expect(found == (1, Data("open".utf8)))
    }

    @Test(
        "The error for a server that accepts only Digest says that it is not supported",
        arguments: [
            (["Digest realm=\"x\", nonce=\"1\", qop=\"auth\""], true), (["digest realm=x"], true),
            (["Digest realm=x, algorithm=SHA-256", "Digest realm=x, algorithm=MD5"], true),
            (["Negotiate, Digest realm=\"x\""], true), (["Basic realm=\"x\", Digest realm=\"x\", nonce=1"], false),
            (["Digest realm=\"x\"", "Bearer"], false), (["Bearer realm=\"digest\""], false),
            (["Bearer error=\"a, digest b\""], false), (["Basic realm=\"x\""], false), (["Digestive a=b"], false),
            ([], false),
        ])
    func digest(_ challenges: [String], _ isDigest: Bool) async throws {
        for status in [401, 403] {
            let server = try LoopbackServer { _, connection in
                connection.write(
                    "HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n"
                        + challenges.map { "WWW-Authenticate: \($0)\r\n" }.joined() + "\r\n")
            }
            let client = APIClient(baseURL: server.baseURL)
            let error = try await failure(.status(status)) { try await client.send(Route.get("x")) }
            let says = error.fix?.contains("does not support Digest authentication") == true
            #expect(says == (isDigest && status == 401), "\(error)")
        }
    }

    @Test("The large body of a challenge is kept up to 64 KiB") func largeChallenge() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond(
                401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: repeatElement(120, count: 500_000))
        }
        let client = APIClient(baseURL: server.baseURL)
        let error = try await failure { try await client.send(Route.get("x")) }
        #expect(error.body?.count == APIError.maximumBodySize)
    }

    @Test(
        "No error text contains a secret",
        arguments: [
            "HTTP/1.1 403 Forbidden\r\nSet-Cookie: session=open-sesame\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: ftp://user:open-sesame@127.0.0.1/?token=open-sesame\r\n"
                + "Content-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
            "garbage\r\n\r\n",
            "",
        ])
    func secrets(_ answer: String) async throws {
        let server = try LoopbackServer { _, connection in
            connection.write(answer)
            connection.close()
        }
        let route = Route.get("x").query("access_token", "open-sesame")
            .header(.authorization, "Bearer open-sesame").header(.cookie, "session=open-sesame")
            .header("X-Api-Key", "open-sesame")
        let client = APIClient(baseURL: server.baseURL)
        let error = try await failure { try await client.send(route, as: [Int].self) }
        let texts = ["\(error)", String(reflecting: error), error.localizedDescription, error.message]
        #expect(texts.filter { $0.contains("open-sesame") } == [])
        // The server gets the credentials.
        let request = server.requests.first
        #expect((request?["Authorization"], request?.query) == ("Bearer open-sesame", "access_token=open-sesame"))
    }
}
