import Fingerpost
import FingerpostStreams
import FingerpostTransfers
import Foundation
import TestSupport
import Testing

@testable import FingerpostTesting

/// What recordings leave out: bodies that could not be searched, and credentials inside addresses and cookies.
@Suite(.inTurn) struct RecordedSecretsTests {
    private static let padding = String(repeating: "x", count: 1_200_000)

    private static func studio(
        _ type: String, _ body: String, _ headers: [(String, String)] = []
    ) throws -> Studio {
        try Studio(handler: { _, connection in
            let lines = headers.map { "\($0): \($1)\r\n" }.joined()
            connection.write(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: \(type)\r\n\(lines)"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            connection.close()
        })
    }

    private static func nested(_ inside: String) -> String {
        String(repeating: "[", count: 600) + inside + String(repeating: "]", count: 600)
    }

    private static let unsearchable: [(type: String, body: String)] = [
        ("application/json", nested(#"{"access_token": "tok-12345"}"#)),
        ("application/json", #"{"access_token": "tok-12345", "a": "#),
        ("application/json", #"{"access_token": "tok-1"} trailing"#),
        ("application/vnd.api+json", #"{"a": {"client_secret" : {"value": "tok-1"}}"#),
        ("text/plain", #"[{"access_token": ["tok-12345"]}, "#),
        ("application/json", "{\\u0061ccess_token: 'tok-1', "),
        ("application/json", #"{"access_token" /* c */ : "tok-1", "#),
        ("application/json", #"{"a": "{\"access_token\": \"tok-1\", "}"#),
        ("application/x-ndjson", "{\"a\": 1}\n{\"access_token\": \"tok-1"),
    ]

    @Test(arguments: unsearchable) func `JSON that cannot be read is not written if it has a name of a secret`(
        type: String, body: String
    ) async throws {
        let studio = try Self.studio(type, body)
        #expect(try await studio.client.data(for: Studio.API.page) == Data(body.utf8))
        #expect(
            studio.lines() == [
                "not written: the answer to GET /page: the body is not JSON that can be searched for secrets, and has "
                    + "the name of a secret"
            ])
        #expect(try studio.files() == [:])
    }

    /// Bodies of requests with the password `hunter-22`, and why the answer is not recorded.
    private static let requests: [(RequestBody, reason: String)] = [
        (
            .data(Data(#"{"image": "\#(padding)", "password": "hunter-22"}"#.utf8), contentType: "application/json"),
            "of 1200038 bytes is too large to be searched"
        ),
        (
            .stream(
                BodyStream(contentType: "application/json") {
                    InputStream(data: Data(#"{"password": "hunter-22"}"#.utf8))
                }), "is a stream"
        ),
    ]

    @Test(arguments: requests.indices)
    func `An answer that may repeat a request that was not searched is not written`(index: Int) async throws {
        let (body, reason) = Self.requests[index]
        let studio = try Self.studio("application/json", #"{"echo": "hunter-22"}"#)
        _ = try await studio.client.data(for: Route.post("page").body(body).mock("page"))
        #expect(studio.lines().count == 1)
        #expect(studio.lines()[0].hasPrefix("not written: the answer to POST /page: the request's body"))
        #expect(studio.lines()[0].contains(reason), "\(studio.lines())")
        #expect(try studio.files() == [:])
    }

    @Test func `The password of a large form is removed`() async throws {
        let studio = try Self.studio("application/json", #"{"echo": "hunter-22"}"#)
        let form = MultipartForm().field("password", "hunter-22").data("image", Data(Self.padding.utf8))
        _ = try await studio.client.data(for: Route.post("page").multipart(form).mock("page"))
        #expect(try studio.files()["page.json"] == #"{"echo": "<redacted>"}"#)
    }

    /// The media type, the body, and the recorded body.
    private static let addresses: [(type: String, body: String, recorded: String)] = [
        (
            "application/json",
            """
            {"a": "https://h.example/x?page=2&access_token=tok-1", "b": "https://u:tok-2@h.example/x",
            "c": "see https://b.example/k?X-Amz-Signature=tok-3&X-Amz-Date=4.", "d": "/cb?state=1&access_token=tok-5",
            "e": "https://h.example/?to=https%3A%2F%2Fa.example%2F%3Faccess_token%3Dtok-6",
            "f": "https://h.example/?a=7", "g": "https://h.example/cb#access_token=tok-8", "h": "the password: tokenless word"}
            """,
            """
            {"a": "https://h.example/x?page=2&access_token=<redacted>", "b": "https://<redacted>@h.example/x",
            "c": "see https://b.example/k?X-Amz-Signature=<redacted>&X-Amz-Date=4.", "d": "/cb?state=1&access_token=<redacted>",
            "e": "https://h.example/?to=<redacted>",
            "f": "https://h.example/?a=7", "g": "https://h.example/cb#access_token=<redacted>", "h": "the password: tokenless word"}
            """
        ),
        (
            "text/plain", "go to https://h.example/x?sid=tok-1&a=2 or https://u:tok-2@h.example\n",
            "go to https://h.example/x?sid=<redacted>&a=2 or https://<redacted>@h.example\n"
        ),
    ]

    @Test(arguments: addresses.indices) func `Credentials inside addresses are removed`(index: Int) async throws {
        let (type, body, recorded) = Self.addresses[index]
        let studio = try Self.studio(type, body)
        _ = try await studio.client.data(for: Studio.API.page)
        let name = type == "text/plain" ? "page.txt" : "page.json"
        #expect(try studio.files()[name] == recorded, "\(studio.lines())")
        #expect(studio.lines().contains { $0.hasPrefix("redacted Mocks/\(name)") })
    }

    @Test func `An address escaped inside a Location, and a decoded cookie, are removed`() async throws {
        let studio = try Self.studio(
            "application/json", #"{"cookie": "cookie/value=1", "again": "token-12345"}"#,
            [
                ("Set-Cookie", "sid=cookie%2Fvalue%3D1; Path=/"),
                ("Link", "</x?to=%2Fy%3Ftoken%3Dlnk&page=2>; rel=next"),
                ("Location", "/in?page=2&to=https%3A%2F%2Fa.example%2F%3Faccess_token%3Dtoken-12345"),
            ])
        _ = try await studio.client.data(for: Studio.API.page)
        let files = try studio.files()
        #expect(files["page.json"] == #"{"cookie": "<redacted>", "again": "<redacted>"}"#)
        let settings = try #require(files["page.mock.json"])
        #expect(settings.contains(#""Location" : "/in?page=2&to=<redacted>""#), "\(settings)")
        #expect(settings.contains(#""Link" : "</x?to=<redacted>&page=2>; rel=next""#), "\(settings)")
    }

    #if os(Linux)
        /// The names of the two folders have the same letters in other bytes.
        @Test func `A link to a folder with an equal name leads outside the folder`() async throws {
            let folder = try TemporaryFolder()
            // As keys of one dictionary, the names would be equal.
            for name in ["caf\u{E9}", "cafe\u{301}"] { try folder.write(Data(), to: "\(name)/a") }
            try FileManager.default.createSymbolicLink(
                at: folder["caf\u{E9}/users"], withDestinationURL: folder["cafe\u{301}"])
            let studio = try Self.studio("application/json", "{}")
            let recorder = try RecordingMiddleware(
                environment: nil, recorder: MockRecorder(folder: folder["caf\u{E9}"]), tell: { _ in }, variables: [:])
            var configuration = APIClient.Configuration()
            configuration.middleware = [recorder]
            let client = APIClient(baseURL: studio.server.baseURL, configuration)
            let error = await #expect(throws: APIError.self) {
                try await client.data(for: Studio.API.user(login: "a"))
            }
            #expect(error?.message.contains("could lead outside the folder") == true, "\(recorder.lines)")
        }
    #endif
}
