import CallSupport

@testable import Fingerpost

/// Settings that apply to every endpoint of a service.
@Suite("Configuring a service", .inTurn)
struct ConfiguringAServiceTests {
    struct User: Codable, Equatable, Sendable {
        var userName: String
        var bornAt: Date?
    }

    struct Me: Endpoint {
        typealias Response = User
        let path: RoutePath = "me"
    }

    struct Refused: Error, LocalizedError {
        var reason: String
        var errorDescription: String? { reason }
    }

    // MARK: Requests

    @Test("A client's closure changes each request after the route's own")
    func configure() async throws {
        let transport = StubTransport(200)
        let client = transport.client {
            $0.configure = { request, route in
                let before = request.value(forHTTPHeaderField: "X-Order") ?? ""
                request.setValue(before + "client", forHTTPHeaderField: "X-Order")
                request.setValue(route.name, forHTTPHeaderField: "X-Route")
                request.networkServiceType = .background
            }
        }
        try await client.send(Route.get("a").configure { $0.setValue("route,", forHTTPHeaderField: "X-Order") })
        try await client.send(Route.get("b").named("Bee"))
        let sent = (transport.sent("X-Order"), transport.sent("X-Route"), transport.requests.map(\.networkServiceType))
        #expect(sent == (["route,client", "client"], ["GET a", "Bee"], [.background, .background]))
    }

    // MARK: Validation

    private static func refuseDebt(_ response: Response<Data>, _ route: Route) throws {
        if response.headers["X-Debt"] != nil { throw Refused(reason: "pay first, \(route.name)") }
    }

    /// Every kind of call.
    private static func calls(of client: APIClient) -> [@Sendable () async throws -> Void] {
        [
            { _ = try await client.send(Me()) }, { try await client.send(Route.get("x")) },
            { _ = try await client.data(for: Me()) }, { _ = try await client.response(for: Me(), as: Data.self) },
        ]
    }

    private struct Failed: ErrorResponse, Error { var message: String }

    @Test("Validation rejects a success, and the error that it throws may become the response, in every kind of call")
    func validate() async throws {
        let (indebted, failed) = (#"{"userName": "n"}"#, #"{"success": false, "message": "no credit"}"#)
        let refusing = StubTransport(200, ["X-Debt": "1"], indebted).client { $0.validate = Self.refuseDebt }
        for call in Self.calls(of: refusing) {
            let error = try await failure(.status(200)) { try await call() }
            let isRefused = error.message.contains("pay first") && error.underlying is Refused
            #expect((isRefused, error.body) == (true, Data(indebted.utf8)))
        }
        let decoding = StubTransport(200, [:], failed).client {
            $0.validate = { response, _ in throw try JSONDecoder().decode(Failed.self, from: response.data) }
        }
        for call in Self.calls(of: decoding) {
            let error = try await failure { try await call() }
            let response = error.response as? Failed
            #expect((response?.message, error.serverMessage, error.status) == ("no credit", "no credit", 200))
        }
    }

    // MARK: The wrapper of every response

    struct Head: Decodable, Sendable {
        var status: String
        var reason: String?
    }

    private static func wrapper(_ count: Locked<Int> = Locked(0)) -> ResponseWrapper {
        ResponseWrapper(valueKey: "data", head: Head.self) { head in
            count.withLock { $0 += 1 }
            guard head.status == "ok" else { throw Refused(reason: head.reason ?? head.status) }
        }
    }

    private func client(_ body: String, status: Int = 200, _ count: Locked<Int> = Locked(0)) -> APIClient {
        StubTransport(status, [:], body).client { $0.wrapper = Self.wrapper(count) }
    }

    @Test func `The wrapper's value is decoded as any type, and its head is checked once`() async throws {
        let count = Locked(0)
        func value<Value: Decodable & Sendable>(_ json: String, _ type: Value.Type) async throws -> Value {
            try await client(#"{"status": "ok", "data": \#(json)}"#, count).send(Route.get("x"), as: type)
        }
        let users = try await [
            client(#"{"status": "ok", "data": {"userName": "n"}}"#, count).send(Me()),
            value(#"{"userName": "n"}"#, User?.self), value("null", User?.self),
        ]
        let nested = try await value(#"{"a": {"data": 1}}"#, [String: [String: Int]].self)
        let list = try await value("[1, 2]", [Int].self)
        #expect((users.map { $0?.userName }, nested, list) == (["n", "n", nil], ["a": ["data": 1]], [1, 2]))
        let scalars = try await (
            value("7", Int.self), value("true", Bool.self), value(#""text""#, String.self),
            value(#""2026-01-31T12:00:00.250Z""#, Date.self)
        )
        #expect(scalars == (7, true, "text", Date(timeIntervalSince1970: 1_769_860_800.25)))
        try await client(#"{"status": "ok", "data": {}}"#, count).send(Route.get("x"))
        #expect(count.withLock { $0 } == 10)
    }

    @Test func `A head that reports a failure fails every kind of call with the service's reason`() async throws {
        let client = client(#"{"status": "error", "reason": "no such user", "data": null}"#)
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await client.send(Me()) }, { try await client.send(Route.get("x")) },
            { _ = try await client.send(Route.get("x"), as: [Int].self) },
            { _ = try await client.send(Route.get("x"), as: User?.self) },
            { _ = try await client.send(Route.get("x"), as: String.self) },
        ]
        for call in calls {
            let error = try await failure(.status(200)) { try await call() }
            let isRefused = error.underlying is Refused
            #expect((error.message, isRefused) == ("the response was rejected as invalid: no such user", true))
        }
    }

    @Test func `What does not decode reports reason and place, and only an optional may be missing`() async throws {
        let rows = [
            #"{"state": "ok"}"#: "\"status\" is missing", "[]": "expected", "<html>": "not JSON",
            #"{"status": "ok"}"#: "\"data\" is missing",
        ]
        for (body, reason) in rows {
            let error = try await failure(.decoding) { try await client(body).send(Me()) }
            #expect(error.message.contains(reason), "\(error)")
        }
        let error = try await failure { try await client(#"{"status": "ok", "data": {"userName": 7}}"#).send(Me()) }
        #expect((error.codingPath, error.fragment) == ("data.userName (line 1)", "7"))
        #expect(try await client(#"{"status": "ok"}"#).send(Route.get("x"), as: User?.self) == nil)
        try await client(#"{"status": "ok"}"#).send(Route.get("x"))
    }

    @Test func `An error status takes precedence over the wrapper, with the server's message`() async throws {
        let count = Locked(0)
        let client = client(#"{"status": "error", "message": "locked"}"#, status: 423, count)
        let error = try await failure(.status(423)) { try await client.send(Me()) }
        let seen = (error.serverMessage, error.errorDescription, count.withLock { $0 })
        #expect(seen == ("locked", "locked", 0))
    }

    // MARK: The error of every endpoint

    @Test func `An error body that does not decode is kept, and its message is found`() async throws {
        for (body, message) in [(#"{"error": "other"}"#, "other"), ("<html>", nil), ("", nil)] {
            let client = StubTransport(500, [:], body).client { $0.errorResponse = Failed.self }
            let error = try await failure { try await client.send(Me()) }
            let seen = (error.response == nil, error.serverMessage, error.body)
            #expect(seen == (true, message, Data(body.utf8)), "\(body)")
        }
    }

    private struct Invalid: ErrorResponse {
        var message: String
        var fieldErrors: [String: [String]]
    }

    @Test("The messages about fields are part of the error's text, without secrets") func fieldErrors() async throws {
        let body = #"""
            {"message": "not valid",
             "fieldErrors": {"password": ["is too short", "must not be open-sesame"], "email": ["has\nno @"]}}
            """#
        for key in ["open-sesame", "another"] {
            let client = StubTransport(422, [:], body).client {
                $0.errorResponse = Invalid.self
                $0.authorization = .custom(header: "X-Shop", value: key)
            }
            let error = try await failure { try await client.send(Me()) }
            let isHidden = key != "another"
            let shown = isHidden ? "<redacted>" : "open-sesame"
            let fields = "\n  fields:      email has\\nno @; password is too short, must not be \(shown)"
            let isRedacted = String(reflecting: error).contains("<redacted>")
            let seen = (error.serverMessage, "\(error)".contains(fields), isRedacted)
            #expect(seen == ("not valid", true, isHidden), "\(error)")
        }
    }
}
