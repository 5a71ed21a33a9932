import CallSupport
import FingerpostStreams
import FingerpostTesting

/// Copies of the iterators of streams, which several tasks may read, because iterators are `Sendable`.
@Suite(.inTurn, .concurrent) struct StreamIteratorTests {
    /// What a loop reads. Each body has the events 1, 2 and 3.
    enum Kind: CaseIterable, Sendable { case bytes, lines, events, values, eventStream, valuesOfEventStream }

    /// Sends the second event when it is told to.
    private static func server(
        _ isReleased: Locked<Bool>, type: String = "text/event-stream"
    ) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            if request["Last-Event-ID"] != nil {
                connection.respond(204)
                return
            }
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
            for number in 1...3 {
                let text = "id: \(number)\ndata: \(number)\n\n"
                connection.write(String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n")
                while !isReleased.withLock({ $0 }) {
                    if connection.waitUntilPeerCloses(atMost: .milliseconds(1)) { return }
                }
            }
            connection.write("0\r\n\r\n")
        }
    }

    private static func text(_ element: some Sendable) -> String {
        (element as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "\(element)"
    }

    /// The rest of a sequence, as text.
    @Sendable private static func rest<Iterator: AsyncIteratorProtocol>(of iterator: Iterator) async throws -> String
    where Iterator.Element: Sendable {
        var (iterator, text) = (iterator, "")
        while let element = try await iterator.next() { text += Self.text(element) }
        return text
    }

    private static func expectRefusal(_ error: (any Error)?) {
        let error = error as? APIError
        #expect(error?.kind == .invalidRoute, "\(error as Any)")
        #expect(error?.message.contains("was read before") == true, "\(error as Any)")
    }

    /// Checks that only one copy of an iterator goes on.
    private static func check<Iterator: AsyncIteratorProtocol & Sendable>(
        _ iterator: Iterator, _ isCancelled: Bool, _ release: @escaping @Sendable () -> Void
    ) async throws where Iterator.Element: Sendable {
        var iterator = iterator
        // Events over several connections have a connection to share only now.
        #expect(try await iterator.next() != nil)
        let copy = iterator
        var texts: [String] = []
        if isCancelled {
            release()
            let next = try text(#require(await iterator.next()))
            let second = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                var (copy, errors) = (copy, [any Error]())
                for _ in 1...3 { do { #expect(try await copy.next() == nil) } catch { errors.append(error) } }
                return errors
            }
            let errors = await second.value
            #expect(!errors.isEmpty)
            errors.forEach(expectRefusal)
            texts.append(next + (try await rest(of: iterator)))
        } else {
            var errors: [any Error] = []
            await withTaskGroup { group in
                for _ in 1...2 { group.addTask { await Result { try await rest(of: copy) } } }
                for await result in group {
                    // One task has got the error while the other one waits.
                    release()
                    switch result {
                    case .success(let text): texts.append(text)
                    case .failure(let error): errors.append(error)
                    }
                }
            }
            #expect(errors.count == 1)
            expectRefusal(errors.first)
            #expect(texts.first?.contains("2") == true, "\(texts)")
        }
        #expect(texts.count == 1 && texts.first?.contains("3") == true, "\(texts)")
    }

    private static func check(
        _ kind: Kind, _ client: APIClient, _ isCancelled: Bool, _ release: @escaping @Sendable () -> Void
    ) async throws {
        let route = Route.get("x").mock("ticker")
        switch kind {
        case .bytes: try await check(client.stream(route).makeAsyncIterator(), isCancelled, release)
        case .lines: try await check(client.stream(route).lines.makeAsyncIterator(), isCancelled, release)
        case .events: try await check(client.stream(route).events.makeAsyncIterator(), isCancelled, release)
        case .values:
            try await check(client.stream(route).json(as: Int.self).makeAsyncIterator(), isCancelled, release)
        case .eventStream: try await check(client.events(route).makeAsyncIterator(), isCancelled, release)
        case .valuesOfEventStream:
            try await check(client.events(route).json(as: Int.self).makeAsyncIterator(), isCancelled, release)
        }
    }

    @Test(arguments: Kind.allCases, [false, true])
    func `Of two tasks that read copies of one iterator, the second gets an error, and the first goes on`(
        kind: Kind, isCancelled: Bool
    ) async throws {
        let isReleased = Locked(false)
        let server = try Self.server(isReleased)
        let environment = try Environment("Local", values: ["baseURL": server.baseURL.absoluteString])
        try await APIScope(environment: environment, network: .live, clock: VirtualClock()).run {
            try await Self.check(kind, APIClient(), isCancelled) { isReleased.withLock { $0 = true } }
        }
    }

    @Test func `A second loop does not end the first one, also if it asks for what the stream lacks`() async throws {
        let isReleased = Locked(false)
        let server = try Self.server(isReleased, type: "text/plain")
        let stream = try await APIClient(baseURL: server.baseURL).stream(Route.get("x"))
        var first = stream.lines.makeAsyncIterator()
        #expect(try await first.next() == "id: 1")
        var second = stream.events.makeAsyncIterator()
        Self.expectRefusal(await #expect(throws: APIError.self) { try await second.next() })
        isReleased.withLock { $0 = true }
        #expect(try await Self.rest(of: first).contains("data: 3"))
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
