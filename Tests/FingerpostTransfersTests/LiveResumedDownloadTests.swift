import CallSupport
import FingerpostMocks

@testable import Fingerpost
@testable import FingerpostTransfers

/// Downloads that go on where they stopped.
@Suite(.inTurn, .concurrent) struct LiveResumedDownloadTests: DownloadSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(["file.txt": "old"]) }

    /// Downloads the file, of which the server sends only a part.
    private func breakOff(_ client: APIClient) async throws {
        await #expect(throws: APIError.self) { try await client.download(Route.get("x"), to: file, resuming: true) }
        #expect(try text == "old" && folder.names == [Kept.part, Kept.description, "file.txt"])
    }

    @Test func `A later call asks for the rest alone, and its response is whole`() async throws {
        let server = try RangeServer("0123456789", breaks: [4])
        let client = APIClient(baseURL: server.baseURL)
        try await breakOff(client)
        let log = ProgressLog()
        let response = try await client.download(Route.get("x"), to: file, resuming: true, progress: log.add)
        let sent = server.requests.map { request in ["Range", "If-Range", "Accept-Encoding"].map { request[$0] } }
        let found = try (text, folder.names)
        #expect(found == ("0123456789", ["file.txt"]))
        #expect(
            (response.status, response.headers[.contentLength], response.headers["Content-Range"]) == (200, "10", nil))
        #expect(sent == [[nil, nil, "identity"], ["bytes=4-", "\"v1\"", "identity"]])
        // The progress goes on where the part ended.
        #expect(log.outcome == .end(10, total: 10) && log.all.allSatisfy { $0.completedBytes >= 4 })
    }

    @Test func `A retry goes on within one call, and the log shows the status of the last attempt`() async throws {
        let server = try RangeServer("0123456789", breaks: [2, 5, 9])
        let lines = Locked<[String]>([])
        let client = APIClient(baseURL: server.baseURL) {
            $0.observers = [CallLogger { line in lines.withLock { $0.append(line) } }]
            $0.retry = .atOnce(4)
        }
        let response = try await client.download(Route.get("x"), to: file, resuming: true)
        let found = try (text, folder.names, response.status, response.history.map(\.status), server.asked)
        #expect(
            found == (
                "0123456789", ["file.txt"], 200, [nil, nil, nil, 206], [nil, "bytes=2-", "bytes=5-", "bytes=9-"]
            ))
        let line = try #require(lines.withLock { $0 }.first)
        #expect(line.hasPrefix("GET x 206 ") && line.hasSuffix("4 attempts"), "\(line)")
    }

    @Test func `Without a strong validator, a part is not kept`() async throws {
        for headers in [
            ["ETag": "W/\"v1\""], [:], ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT"],
            ["ETag": "\"v1\"", "Content-Encoding": "br"], ["ETag": "unquoted"],
        ] {
            let server = try LoopbackServer { _, connection in
                let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\(lines)\r\n0123")
                connection.reset()
            }
            let client = APIClient(baseURL: server.baseURL)
            await #expect(throws: APIError.self) { try await client.download(Route.get("x"), to: file, resuming: true) }
            #expect(try folder.names == ["file.txt"], "\(headers)")
        }
    }

    @Test func `An old date is a validator`() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let server = try RangeServer(
            "0123456789", breaks: [4], headers: [("Last-Modified", date), ("Date", "Mon, 07 Nov 1994 08:49:37 GMT")],
            tag: date, sendsTag: false)
        let client = APIClient(baseURL: server.baseURL)
        try await breakOff(client)
        try await client.download(Route.get("x"), to: file, resuming: true)
        let found = try (text, folder.names, server.requests.map { $0["If-Range"] })
        #expect(found == ("0123456789", ["file.txt"], [nil, date]))
    }

    @Test func `A discarded part is received again`() async throws {
        let server = try RangeServer("0123456789", breaks: [4])
        let client = APIClient(baseURL: server.baseURL)
        try await breakOff(client)
        for _ in 1...2 {
            try APIClient.discardPartialDownload(at: file)
            #expect(try folder.names == ["file.txt"])
        }
        try await client.download(Route.get("x"), to: file, resuming: true)
        let found = try (text, folder.names, server.asked)
        #expect(found == ("0123456789", ["file.txt"], [nil, nil]))
    }

    @Test func `What is kept is private`() async throws {
        try await breakOff(APIClient(baseURL: try RangeServer("0123456789", breaks: [4]).baseURL))
        let modes = try [Kept.part, Kept.description].map { name in
            try FileManager.default.attributesOfItem(atPath: folder[name].path)[.posixPermissions] as? Int
        }
        #expect(modes == [0o600, 0o600])
    }

    @Test func `A mock is received from its start`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/x"))
        try Kept.write("012", for: url, beside: file)
        let client = APIClient(baseURL: try #require(URL(string: "http://127.0.0.1:9")))
        try await APIScope(network: .sealed).run {
            Mocks.set("x", .data(Data("mocked".utf8)))
            try await client.download(Route.get("x").mock("x"), to: file, resuming: true)
        }
        #expect(try text == "mocked" && folder.names == ["file.txt"])
    }
}
