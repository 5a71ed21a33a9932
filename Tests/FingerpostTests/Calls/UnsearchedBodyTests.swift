import CallSupport
import FingerpostStreams
import FingerpostTransfers
import Foundation
import TestSupport
import Testing

@testable import Fingerpost

/// What could not be searched for secrets, in a request or in a response, is not printed.
@Suite(.timeLimit(.minutes(5))) struct UnsearchedBodyTests {
    private static let padding = String(repeating: "x", count: 1_200_000)

    private static func stream(_ text: String, _ type: String?) -> RequestBody {
        .stream(BodyStream(contentType: type) { InputStream(data: Data(text.utf8)) })
    }

    private static func nested(_ inside: String) -> String {
        String(repeating: "[", count: 600) + inside + String(repeating: "]", count: 600)
    }

    private static let part = Data(
        ("--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n" + "hunter-22\(padding)\r\n--B--").utf8)

    /// Bodies with the password `hunter-22`, and why they are not searched; nil for a body that is searched.
    private static let requests: [(RequestBody, reason: String?)] = [
        (
            .data(Data(#"{"image": "\#(padding)", "password": "hunter-22"}"#.utf8), contentType: "application/json"),
            "1200"
        ),
        (
            .data(Data("image=\(padding)&password=hunter-22".utf8), contentType: "application/x-www-form-urlencoded"),
            "1200"
        ),
        (.data(Data(#"[{"password": "hunter-22", "image": "\#(padding)"}]"#.utf8), contentType: "text/plain"), "1200"),
        (.data(part, contentType: "multipart/form-data; boundary=B"), "1200"),
        (stream(#"{"password": "hunter-22"}"#, "application/vnd.api+json"), "stream"),
        (stream("password=hunter-22", "application/x-www-form-urlencoded"), "stream"),
        (.data(Data(nested(#"{"password": "hunter-22"}"#).utf8), contentType: "application/json"), "not JSON"),
        (.data(Data(#"{"password": "hunter-22", "#.utf8), contentType: "application/json"), "not JSON"),
        (
            .data(Data(#"{"password": "hunter-22"}"#.utf8.flatMap { [$0, 0] }), contentType: "application/json"),
            "not JSON"
        ),
        (.data(Data(#"{"password": "hunter-22"} x"#.utf8), contentType: "text/plain"), "not JSON"),
        (.data(Data(#"{\u0070assword: 'hunter-22', "#.utf8), contentType: "application/json"), "not JSON"),
        (.multipart(MultipartForm().field("password", "hunter-22").data("image", Data(padding.utf8))), nil),
    ]

    @Test(.heavy, arguments: requests.indices)
    func `An error does not show what the server may repeat of a request that was not searched`(
        index: Int
    ) async throws {
        let (body, reason) = Self.requests[index]
        let transport = StubTransport { request, _ in
            let isText = request.url?.path.hasSuffix("text") == true
            return (
                request.url?.path.hasSuffix("value") == true ? 200 : 422, ["X-Echo": "hunter-22"],
                isText ? "hunter-22 is wrong" : #"{"message": "hunter-22 is wrong", "kind": "hunter-22"}"#
            )
        }
        for path in ["message", "text", "value"] {
            let error = try await #require(throws: APIError.self) {
                _ = try await transport.client().send(Route.post("\(path)").body(body), as: [String: Kind].self)
            }
            var text = "\(error)\n\(String(reflecting: error)) \(error.localizedDescription)"
            dump(error, to: &text)
            #expect(!text.contains("hunter-22"), "\(error)")
            if let reason {
                #expect(error.serverMessage == nil)
                #expect(error.description.contains("\n  not shown:   the server's text"), "\(error)")
                #expect(error.description.contains(reason), "\(error)")
            } else {
                #expect(!error.description.contains("not shown"))
            }
        }
    }

    private enum Kind: String, Decodable, Sendable { case a }

    /// Bodies that are not searched, because they cannot hold a name of a secret.
    private static let harmless: [RequestBody] = [
        .data(Data(padding.utf8), contentType: "image/png"),
        .data(Data(padding.utf8), contentType: "application/octet-stream"),
        .data(Data(#"{"image": "\#(padding)", "name": "octocat"}"#.utf8), contentType: "application/json"),
        .data(Data("name=octocat&image=\(padding)".utf8), contentType: "application/x-www-form-urlencoded"),
        .data(Data(nested(#"{"name": "octocat"}"#).utf8), contentType: "application/json"),
        .data(Data("{broken".utf8), contentType: "application/json"),
        .json(["text": "{name} has a new password: see below"]), stream("abc", "application/octet-stream"),
        .multipart(MultipartForm().field("name", "octocat").data("image", Data(padding.utf8))),
    ]

    @Test(arguments: harmless.indices)
    func `A large body without names of secrets hides nothing`(index: Int) async throws {
        let client = StubTransport(422, [:], #"{"message": "the name is too short"}"#).client()
        let error = try await #require(throws: APIError.self) {
            try await client.send(Route.post("x").body(Self.harmless[index]))
        }
        #expect(error.serverMessage == "the name is too short")
        #expect(!error.description.contains("not shown"))
    }

    /// Responses with a token that are not searched, and why.
    private static let responses: [(type: String, body: String, reason: String)] = [
        ("application/json", #"{"access_token": ["tok-12345"], "a"#, "not JSON"),
        ("application/json", #"{"access_token": ["tok-12345"]} and more"#, "not JSON"),
        ("application/problem+json", nested(#"{"access_token": "tok-12345"}"#), "not JSON"),
        ("text/plain", #"{"refresh": 1, "refresh_token": ["tok-12345"], "#, "not JSON"),
        ("application/json", #"{"access_token": "tok-12345", "x": "\#(padding)"}"#, "1200"),
    ]

    @Test(arguments: responses.indices)
    func `An error does not show a response that was not searched`(index: Int) async throws {
        let (type, body, reason) = Self.responses[index]
        let error = try await #require(throws: APIError.self) {
            try await StubTransport(500, [.contentType: type], body).client().send(Route.get("x"))
        }
        #expect(!error.description.contains("tok-12345"), "\(error)")
        #expect(error.description.contains("\n  not shown:   the server's text"), "\(error)")
        #expect(error.description.contains(reason), "\(error)")
        // The value of a response that is a text is shown only if it was searched.
        let response = try await StubTransport(200, [.contentType: type], body).client().response(
            for: Route.get("x"), as: String.self)
        var dumped = ""
        dump(response, to: &dumped)
        #expect(!dumped.contains("tok-12345"))
        let wrong = try await #require(throws: APIError.self) {
            let echo = #"{"kind": "tok-12345", "token": "tok-12345", "x": "\#(Self.padding)"}"#
            _ = try await StubTransport(200, [.contentType: type], echo).client().send(
                Route.get("x"), as: [String: Kind].self)
        }
        #expect(!wrong.description.contains("tok-12345"), "\(wrong)")
    }

    /// A type whose own error contains the text that it cannot read.
    private struct Loud: Decodable, Sendable {
        struct Unknown: Error { let text: String }

        init(from decoder: any Decoder) throws {
            throw Unknown(text: try decoder.singleValueContainer().decode([String: String].self)["kind"] ?? "")
        }
    }

    @Test func `An error of the app's own decoding shows a text only if all was searched`() async throws {
        for (padding, isShown) in [("", true), (Self.padding, false)] {
            let body = #"{"kind": "hunter-22", "token": "x", "x": "\#(padding)"}"#
            let error = try await #require(throws: APIError.self) {
                let client = StubTransport(200, [.contentType: "application/json"], body).client()
                _ = try await client.send(Route.get("x"), as: Loud.self)
            }
            #expect(error.description.contains("hunter-22") == isShown, "\(error)")
            #expect(error.message.contains("Unknown"))
        }
    }
}
