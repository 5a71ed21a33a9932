import CallSupport

@Suite(.inTurn) struct BodySinkTests {
    /// Logs the calls of a transport.
    private final class Notes: BodySink {
        let lines = Locked<[String]>([])

        func begin(_ head: Response<Void>) { note("\(head.status) \(head.headers["X-A"] ?? "-")") }
        func receive(_ bytes: Data) { note(String(decoding: bytes, as: UTF8.self)) }

        private func note(_ line: String) { lines.withLock { $0.append(line) } }
        var text: [String] { lines.withLock { $0 } }
    }

    private struct Refusal: Error {}

    private struct Refusing: BodySink {
        var refusesHead = false
        func begin(_ head: Response<Void>) throws { if refusesHead { throw Refusal() } }
        func receive(_ bytes: Data) throws { throw Refusal() }
    }

    private let request = URLRequest(url: URL(string: "https://api.example.com/x")!)

    @Test func `By default the head is pushed, then the body in one piece, and a file as its bytes`() async throws {
        let notes = Notes()
        for body in ["text", ""] {
            try await StubTransport(201, ["X-A": "1"], body).send(request, for: Route.get("x"), into: notes)
        }
        let folder = try TemporaryFolder(["a.txt": "film"])
        try notes.receive(contentsOf: folder["a.txt"])
        #expect(notes.text == ["201 1", "text", "201 1", "film"])
    }

    #if os(Linux) || os(macOS)
        @Test func `A file that becomes shorter after it was received ends nothing`() async {
            // In a process without other tests, which access to a cut file would end.
            await #expect(processExitsWith: .success) {
                let (folder, notes) = (try TemporaryFolder(["a.txt": ""]), Notes())
                let file = folder["a.txt"]
                try #require(truncate(file.path, 3_000_000) == 0)
                try notes.receive(contentsOf: file)
                try #require(truncate(file.path, 0) == 0)
                #expect(Data(notes.text.joined().utf8) == Data(count: 3_000_000))
            }
        }
    #endif

    @Test(arguments: [true, false]) func `A sink's error ends the request`(refusesHead: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.waitUntilPeerCloses()
        }
        await #expect(throws: Refusal.self) {
            try await URLSessionTransport().send(
                URLRequest(url: server.baseURL), for: Route.get("x"), into: Refusing(refusesHead: refusesHead))
        }
    }
}
