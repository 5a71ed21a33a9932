import CallSupport

@testable import FingerpostStreams

@Suite(.inTurn) struct BodyBufferTests {
    @Test func `Small pieces that wait are read together`() async throws {
        let body = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0) })
        for size in [1, 7, 16_384, 20_000] {
            let buffer = BodyBuffer(maximumSize: 1_000_000)
            try buffer.begin(head(200, nil))
            for start in stride(from: 0, to: body.count, by: size) {
                try buffer.receive(body[start..<min(start + size, body.count)])
            }
            buffer.end(nil)
            var pieces: [Data] = []
            while let piece = try await buffer.next() { pieces.append(piece) }
            #expect(pieces.reduce(Data(), +) == body && pieces.allSatisfy { $0.startIndex == 0 })
            #expect(pieces.count <= body.count / 16_000 + 1, "\(size)")
        }
    }

    @Test func `A body is not sent for by a task that was cancelled before`() async throws {
        let sent = Locked(0)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await BodyBuffer(maximumSize: 100).open { sent.withLock { $0 += 1 } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        await settle()
        #expect(sent.withLock { $0 } == 0)
    }

    /// Otherwise a request may be sent after the loop has ended.
    @Test func `A cancelled reader has cancelled its transport, even if the transport has just started`() async {
        let heard = Locked(0)
        for _ in 0..<500 {
            let (begun, read, ended) = (Locked(false), Locked(false), Locked(false))
            let reader = Task {
                _ = try? await BodyBuffer(maximumSize: 100).open {
                    begun.withLock { $0 = true }
                    while !read.withLock(\.self) { await Task.yield() }
                    heard.withLock { $0 += Task.isCancelled ? 1 : 0 }
                    ended.withLock { $0 = true }
                }
            }
            while !begun.withLock(\.self) { await Task.yield() }
            reader.cancel()
            read.withLock { $0 = true }
            while !ended.withLock(\.self) { await Task.yield() }
        }
        #expect(heard.withLock(\.self) == 500)
    }

    @Test func `A transport that waits for the reader is held until the reader has read`() async throws {
        let (buffer, resumed) = (BodyBuffer(maximumSize: 100), Locked(false))
        try buffer.begin(head(200, nil))
        #expect(!buffer.hold {} && buffer.held == nil)
        try buffer.receive(Data(count: 60))
        #expect(buffer.hold { resumed.withLock { $0 = true } })
        #expect(!buffer.isFull && buffer.held != nil && !resumed.withLock(\.self))
        _ = try await buffer.next()
        let held = try #require(buffer.held)
        #expect(resumed.withLock(\.self) && buffer.held == held)
    }

    /// Observes the body, and lets another observer in at its end.
    private struct Host: BodyObserver {
        let buffer: BodyBuffer
        let guest: Guest

        func begin(_ head: Response<Void>) {}
        func receive(_ bytes: Data) {}
        func end(isWhole: Bool) throws { try buffer.observe(guest) }
    }

    private final class Guest: BodyObserver {
        let heard = Locked<[String]>([])

        func begin(_ head: Response<Void>) {}
        func receive(_ bytes: Data) { heard.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
        func end(isWhole: Bool) { heard.withLock { $0.append("\(isWhole)") } }
    }

    @Test func `An observer that comes while the body ends hears of the end`() throws {
        let buffer = BodyBuffer(maximumSize: 100)
        try buffer.begin(head(200, nil))
        try buffer.receive(Data("whole".utf8))
        let guest = Guest()
        try buffer.observe(Host(buffer: buffer, guest: guest))
        buffer.end(nil)
        #expect(guest.heard.withLock(\.self) == ["whole", "true"])
    }

    @Test func `What comes after the end of a body is no part of it`() async throws {
        let buffer = BodyBuffer(maximumSize: 100)
        try buffer.begin(head(200, nil))
        try buffer.receive(Data("whole".utf8))
        buffer.end(nil)
        try buffer.receive(Data("late".utf8))
        #expect(try await [buffer.next(), buffer.next()] == [Data("whole".utf8), nil])
    }

    private func head(_ status: Int, _ type: String?) throws -> Response<Void> {
        let url = try #require(URL(string: "https://h.example/x"))
        return Response(status: status, headers: type.map { [.contentType: $0] } ?? [:], request: URLRequest(url: url))
    }

    /// `URLSession` on Apple platforms reports each part of such a body as another response.
    @Test func `Another response in the middle of a stream is named by its type`() throws {
        let mixed = "multipart/x-mixed-replace; boundary=a"
        for (first, second) in [(mixed, "image/jpeg"), (nil, "image/jpeg"), ("text/plain", nil), (nil, nil)] {
            let buffer = BodyBuffer(maximumSize: 1000)
            // Heads of interim responses and of failures may come before.
            for (status, type) in [(100, nil), (401, nil), (200, first)] { try buffer.begin(head(status, type)) }
            try buffer.receive(Data("a".utf8))
            let error = try #require(throws: APIError.self) { try buffer.begin(head(200, second)) }
            let types = [second, first].map { $0?.quoted ?? "no content type" }
            let line = "transport: another response (\(types[0])) came in the middle of the stream (\(types[1]))"
            #expect(error.line == line && error.fix?.contains("multipart/x-mixed-replace") == true, "\(error)")
        }
    }
}
