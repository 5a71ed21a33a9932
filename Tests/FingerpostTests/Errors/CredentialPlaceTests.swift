import CallSupport

@testable import Fingerpost

/// What is a credential does not depend on its place in a body, nor on the order of fields.
@Suite(.inTurn) struct CredentialPlaceTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let json = "application/json"
    private static let token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln"

    private static let requests: [(type: String, body: String)] = [
        (form, "code=hunter-22&grant_type=authorization_code"), (form, "grant_type=authorization_code&code=hunter-22"),
        (form, "code=hunter-22"), (form, "card_pin=hunter-22&a=1"), (form, "a=1&card_pin=hunter-22"),
        (form, "session=hunter-22&note=a b"), (json, #"{"code": "hunter-22", "grant_type": "authorization_code"}"#),
        (json, #"{"tokens": {"access": "hunter-22"}}"#), (json, #"{"new_tokens": ["hunter-22"]}"#),
        (json, #"{"credentials": [{"type": "password", "value": "hunter-22"}]}"#),
        (json, #"{"value": "hunter-22", "name": "api_token"}"#),
    ]

    @Test func `A credential of a request is hidden in its error, also where the server repeats it`() async throws {
        let client = StubTransport(422, [.contentType: Self.json], #"{"message": "the code hunter-22 is used"}"#)
            .client()
        for (type, body) in Self.requests {
            let route = Route.post("x").body(.data(Data(body.utf8), contentType: type))
            let error = try await failure { try await client.send(route) }
            #expect(
                (error.serverMessage, error.curl?.contains("hunter-22")) == ("the code <redacted> is used", false),
                "\(error.curl ?? "")")
        }
    }

    @Test func `A JSON Web Token is hidden under any name`() async throws {
        let client = StubTransport(422, [.contentType: Self.json], #"{"message": "no \#(Self.token)."}"#).client()
        let route = Route.post("x/\(Self.token)").query("state", Self.token).json(["refresh": Self.token])
        let error = try await failure { try await client.send(route) }
        #expect(
            (error.serverMessage, error.request, error.curl?.contains(Self.token))
                == ("no <redacted>.", "POST https://api.example.com/x/<redacted>?state=<redacted>", false))
    }

    private struct Model: Decodable, Sendable {
        struct Missing: Decodable, Sendable { var missing: Int }
        var a: Missing
    }

    /// The JSON that the error of an answer shows, in which the key `missing` is missing.
    private static let answers = [
        (#"{"tokens": {"access": "S"}, "usage": {"tokens": 8}}"#, #"{"tokens": <redacted>, "usage": {"tokens": 8}}"#),
        (
            #"{"new_tokens": "S", "tokens": 8, "max_tokens": 9}"#,
            #"{"new_tokens": <redacted>, "tokens": 8, "max_tokens": 9}"#
        ),
        (#"{"code": "model_not_found", "key": "theme"}"#, #"{"code": "model_not_found", "key": "theme"}"#),
        (#"{"code": null, "token": null, "session": true}"#, #"{"code": null, "token": null, "session": true}"#),
        (#"{"code": 404, "session": {"a": "S"}}"#, #"{"code": 404, "session": <redacted>}"#),
        (#"{"code": "4/0AX4XfWh-0123456789", "sid": "a1b2"}"#, #"{"code": <redacted>, "sid": <redacted>}"#),
        (#"{"card_pin": 847319, "password": "S"}"#, #"{"card_pin": <redacted>, "password": <redacted>}"#),
        (#"{"type": "password", "value": "S"}"#, #"{"type": "password", "value": <redacted>}"#),
        (#"{"type": "color", "value": "red"}"#, #"{"type": "color", "value": "red"}"#),
        (#"{"access": "\#(token)"}"#, #"{"access": "<redacted>"}"#),
    ]

    @Test func `The names in a response decide with their values`() async throws {
        for (body, shown) in Self.answers {
            let client = StubTransport(200, [:], #"{"a": \#(body)}"#).client()
            let error = try await failure(.decoding) { _ = try await client.send(Route.get("x"), as: Model.self) }
            #expect(error.fragment == shown)
        }
    }

    @Test func `A value that does not decode is hidden by its own name`() async throws {
        func shown<Value: Decodable & Sendable>(_ body: String, as type: Value.Type) async throws -> String? {
            let client = StubTransport(200, [:], body).client()
            return try await failure(.decoding) { _ = try await client.send(Route.get("x"), as: type) }.fragment
        }
        for (body, fragment) in [
            #"{"card_pin": "S"}"#: "<redacted>", #"{"tokens": "S"}"#: "<redacted>",
            #"{"code": "model_not_found"}"#: #""model_not_found""#, #"{"code": null}"#: "null",
        ] {
            #expect(try await shown(body, as: [String: Int].self) == fragment, "\(body)")
        }
        for body in [#"{"tokens": {"a": "S"}}"#, #"{"password": {"a": "S"}}"#] {
            #expect(try await shown(body, as: [String: [String: Int]].self) == "<redacted>", "\(body)")
        }
    }
}
