import CallSupport
import FingerpostFiles
import FingerpostShared
import FingerpostTransfers
import Foundation
import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostTesting

/// Which bodies are searched for credentials before a recording or an archive contains them.
@Suite(.inTurn) struct BodyCredentialsTests {
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

    /// Keeps what is known of the secrets of the last call.
    private final class Asking: CallObserver {
        let secrets = Locked<SentSecrets?>(nil)

        func finished(_ call: LoggedCall) {
            let found = SentSecrets(call.record)
            secrets.withLock { $0 = found }
        }
    }

    @Test(.heavy, arguments: requests.indices)
    func `A request that could not be searched says why`(index: Int) async throws {
        let (body, reason) = Self.requests[index]
        let asking = Asking()
        try await StubTransport(200).client { $0.observers = [asking] }.send(Route.post("x").body(body))
        let secrets = try #require(asking.secrets.withLock { $0 })
        #expect((secrets.unsearchedRequest == nil) == (reason == nil), "\(secrets)")
        if let reason { #expect(secrets.unsearchedRequest?.contains(reason) == true, "\(secrets)") }
        if reason == nil { #expect(secrets.credentials.contains("hunter-22")) }
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
    func `A response that could not be searched says why`(index: Int) throws {
        let (type, body, reason) = Self.responses[index]
        let found = BodyCredentials(response: Data(body.utf8), type: type)
        #expect(found.unsearched?.contains(reason) == true)
    }

    /// Decoders read JSON in UTF-16, whatever its content type is.
    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16])
    func `A response in UTF-16 is not taken for binary`(_ encoding: String.Encoding) throws {
        let body = try #require(#"{"access_token": "hunter-22-é"}"#.data(using: encoding))
        #expect(String(data: body, encoding: .utf8) == nil)
        let credentials = BodyCredentials(response: body, type: "application/octet-stream")
        #expect(credentials.unsearched != nil || credentials.found.contains { $0.contains("hunter-22") })
    }

    @Test func `Random bytes have no names of secrets`() throws {
        var generator = SeededGenerator(seed: 5)
        for type in ["image/png", "application/octet-stream"] {
            let body = [0xFF, 0x00] + (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(BodyCredentials(response: Data(body), type: type).unsearched == nil)
        }
    }
}
