import CallSupport
import FingerpostStreams
import FingerpostTesting

/// Copies of the iterators of streams, which several tasks may read, because iterators are `Sendable`.
@Suite(.inTurn, .concurrent) struct StreamIteratorTests {
    /// What a loop reads. Each body has the events 1, 2 and 3. Lines, events and values have the same iterator.
    enum Kind: CaseIterable, Sendable { case bytes, values, eventStream, valuesOfEventStream }

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

    private static let refusal = "invalid route: the stream was read before, by another loop or a copy of its iterator"

    /// What two copies of an iterator read: the rest, and the errors.
    private static func read<Iterator: AsyncIteratorProtocol & Sendable>(
        _ iterator: Iterator, _ isCancelled: Bool, _ release: @escaping @Sendable () -> Void
    ) async throws -> (texts: [String], errors: [String]) where Iterator.Element: Sendable {
        var iterator = iterator
        // Events over several connections have a connection to share only now.
        let isOver = try await iterator.next() == nil
        var (texts, errors) = (isOver ? ["over"] : [], [String]())
        let copy = iterator
        if isCancelled {
            release()
            let next = try await iterator.next().map(text) ?? ""
            let second = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                var (copy, errors) = (copy, [String]())
                for _ in 1...3 {
                    do { errors += try await copy.next().map { ["read \(text($0))"] } ?? [] } catch {
                        errors.append(line(of: error))
                    }
                }
                return errors
            }
            errors = await second.value
            texts.append(next + (try await rest(of: iterator)))
        } else {
            await withTaskGroup { group in
                for _ in 1...2 { group.addTask { await Result { try await rest(of: copy) } } }
                for await result in group {
                    // One task has got the error while the other one waits.
                    release()
                    switch result {
                    case .success(let text): texts.append(text)
                    case .failure(let error): errors.append(line(of: error))
                    }
                }
            }
        }
        return (texts, errors)
    }

    private static func line(of error: any Error) -> String { (error as? APIError)?.line ?? "\(error)" }

    private static func read(
        _ kind: Kind, _ client: APIClient, _ isCancelled: Bool, _ release: @escaping @Sendable () -> Void
    ) async throws -> (texts: [String], errors: [String]) {
        let route = Route.get("x").mock("ticker")
        return switch kind {
        case .bytes: try await read(client.stream(route).makeAsyncIterator(), isCancelled, release)
        case .values:
            try await read(client.stream(route).json(as: Int.self).makeAsyncIterator(), isCancelled, release)
        case .eventStream: try await read(client.events(route).makeAsyncIterator(), isCancelled, release)
        case .valuesOfEventStream:
            try await read(client.events(route).json(as: Int.self).makeAsyncIterator(), isCancelled, release)
        }
    }

    @Test(arguments: Kind.allCases, [false, true])
    func `Of two tasks that read copies of one iterator, the second gets an error, and the first goes on`(
        kind: Kind, isCancelled: Bool
    ) async throws {
        let isReleased = Locked(false)
        let server = try Self.server(isReleased)
        let environment = try Environment("Local", values: ["baseURL": server.baseURL.absoluteString])
        let (texts, errors) = try await APIScope(environment: environment, network: .live, clock: VirtualClock()).run {
            try await Self.read(kind, APIClient(), isCancelled) { isReleased.withLock { $0 = true } }
        }
        #expect(texts.map { $0.contains("3") && (isCancelled || $0.contains("2")) } == [true], "\(texts)")
        // A cancelled copy may be told several times.
        #expect((isCancelled ? Array(Set(errors)) : errors) == [Self.refusal])
    }

    @Test func `A second loop does not end the first one, also if it asks for what the stream lacks`() async throws {
        let isReleased = Locked(false)
        let server = try Self.server(isReleased, type: "text/plain")
        let stream = try await APIClient(baseURL: server.baseURL).stream(Route.get("x"))
        var first = stream.lines.makeAsyncIterator()
        let line = try await first.next()
        var second = stream.events.makeAsyncIterator()
        let error = try await failure { try await second.next() }
        isReleased.withLock { $0 = true }
        let found = try await (line, error.line, Self.rest(of: first).contains("data: 3"))
        #expect(found == ("id: 1", Self.refusal, true))
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
