import Fingerpost
import FingerpostStreams
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import FingerpostTesting

/// The archive of a run: HAR 1.2, without secrets.
@Suite(.inTurn) struct HARRecorderTests {
    private static let secrets = ["sekret-token-1", "sekret-query-2", "sekret-body-3", "sekret-cookie-4", "s3cret-key"]

    private func server() throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            switch request.path {
            case "/old": connection.respond(302, headers: ["Location": "/new?api_key=sekret-query-2"])
            case "/new":
                connection.respond(
                    200, headers: ["Content-Type": "application/json", "Set-Cookie": "session=sekret-cookie-4"],
                    body: #"{"echo": "sekret-token-1", "access_token": "sekret-body-3", "login": "octocat"}"#)
            case "/image":
                connection.respond(200, headers: ["Content-Type": "image/png"], body: Data([0x89, 0x50, 0xFF, 0]))
            case "/large": connection.respond(200, body: String(repeating: "x", count: 2000))
            default: connection.respond(500, body: "no s3cret-key here")
            }
        }
    }

    /// A run with a redirect, a retry, a binary body, a large body, a form, a failure and a refused call.
    private func run(_ recorder: HARRecorder) async throws {
        let server = try server()
        let environment = try Environment(
            "Live", values: ["baseURL": "\(server.baseURL)", "$secrets": ["key"], "key": "s3cret-key"])
        let client = try APIClient {
            $0.environment = environment
            $0.observers = [recorder]
            $0.authorization = .bearer("sekret-token-1")
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .exponential(base: .zero, maximum: .zero))
        }
        try await client.send(Route.get("old"))
        try await client.send(Route.get("image"))
        try await client.send(Route.get("large"))
        _ = try? await client.send(
            Route.put("broken").query("page", 2).json(["password": "sekret-body-3", "name": "octocat"]))
        _ = try? await client.send(Route.get("users/\("..")"))
        server.stop()
        _ = try? await client.send(Route.get("gone").retry(.off))
    }

    private func entries(_ recorder: HARRecorder) throws -> [[String: Any]] {
        let root = try JSONSerialization.jsonObject(with: recorder.data()) as? [String: Any]
        let log = try #require(root?["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        return try #require(log["entries"] as? [[String: Any]])
    }

    @Test func `A body with a secret that is too short to search for is left out`() async throws {
        let recorder = HARRecorder()
        let server = try server()
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL).with { $0.observers = [recorder] }
        _ = try? await client.send(Route.post("pay").json(["number": "4242", "cvc": "7x7"]))
        let data = String(decoding: try recorder.data(), as: UTF8.self)
        #expect(!data.contains("7x7") && data.contains("too short to search for"), "\(data)")
    }

    @Test func `Every attempt is an entry, in order`() async throws {
        let recorder = HARRecorder(maximumBodySize: 1000)
        try await run(recorder)
        let entries = try entries(recorder)
        let statuses = entries.map { ($0["response"] as? [String: Any])?["status"] as? Int }
        #expect(statuses == [302, 200, 200, 200, 500, 500, 0])
        #expect(recorder.count == 7)
        let last = try #require(entries.last?["response"] as? [String: Any])
        #expect(
            (last["_error"] as? String)?.isEmpty == false && last["statusText"] as? String == last["_error"] as? String)
        let contents = entries.compactMap { ($0["response"] as? [String: Any])?["content"] as? [String: Any] }
        #expect((contents[1]["text"] as? String)?.contains(#""login": "octocat""#) == true)
        #expect(contents[2]["encoding"] as? String == "base64")
        #expect(contents[2]["text"] as? String == "iVD/AA==")
        #expect(contents[3]["comment"] as? String == "left out: 2000 bytes are more than 1000")
        #expect(contents[3]["text"] == nil)
        let sent = try #require(entries[4]["request"] as? [String: Any])
        #expect((sent["postData"] as? [String: Any])?["mimeType"] as? String == "application/json")
        #expect(sent["queryString"] as? [[String: String]] == [["name": "page", "value": "2"]])
    }

    @Test func `No secret is in the archive`() async throws {
        let recorder = HARRecorder()
        try await run(recorder)
        let text = String(decoding: try recorder.data(), as: UTF8.self)
        for secret in Self.secrets { #expect(!text.contains(secret), "\(secret) is in \(text)") }
        #expect(text.contains("octocat") && text.contains("<redacted>"))
    }

    @Test func `Entries over the maximum are counted`() async throws {
        let recorder = HARRecorder(maximumEntries: 2)
        try await run(recorder)
        #expect(try entries(recorder).count == 2)
        #expect(String(decoding: try recorder.data(), as: UTF8.self).contains("5 later entries were not kept"))
    }

    @Test(.mocks) func `Answers of mocks and of streams have entries too`() async throws {
        let recorder = HARRecorder(maximumBodySize: 100)
        let client = try APIClient { $0.observers = [recorder] }
        let ticker = Route.get("ticker").mock("ticker")
        Mocks.set("user", .json(["login": "octocat"]))
        let secret = #"{"access_token": "tok-1234567"}"#
        Mocks.set(
            "ticker",
            .sequence([
                .events(["a", ServerSentEvent(secret), "it is tok-1234567"]), .events(["c", "d"], ending: .lost),
                .events(["e", "f"]),
                .events([ServerSentEvent(String(repeating: "g", count: 100))]), .data(Data([0xFF])),
            ]))
        try await client.send(Route.get("user").mock("user"))
        for try await _ in try await client.stream(ticker).events {}
        await #expect(throws: APIError.self) { for try await _ in try await client.stream(ticker).events {} }
        for try await _ in try await client.stream(ticker).events { break }
        for try await _ in try await client.stream(ticker) {}
        for try await _ in try await client.stream(ticker) {}
        let contents = try entries(recorder).map { ($0["response"] as? [String: Any])?["content"] as? [String: Any] }
        #expect(contents.count == 6)
        #expect(
            contents[1]?["text"] as? String
                == "data: a\n\ndata: {\"access_token\": \"<redacted>\"}\n\ndata: it is <redacted>\n\n")
        for content in contents.dropFirst(2) {
            let comment = content?["comment"] as? String
            #expect(content?["text"] == nil && comment?.contains("read as it arrived") == true, "\(content ?? [:])")
        }
    }

    @Test func `The archive is written to a file`() async throws {
        let (recorder, folder) = (HARRecorder(), try TemporaryFolder([:]))
        try await run(recorder)
        try recorder.write(to: folder["run.har"])
        #expect(try Data(contentsOf: folder["run.har"]) == recorder.data())
        // A check of the format with another program reads this file.
        if let path = ProcessInfo.processInfo.environment["HAR_FILE"] {
            try recorder.write(to: URL(fileURLWithPath: path))
        }
    }
}
