import CallSupport
import FingerpostStreams
import FingerpostTransfers

/// Transports that go on after the sink of a call has thrown an error.
@Suite(.inTurn, .concurrent) struct FailedSinkTests {
    /// Pushes a response again and again, whatever the sink throws.
    private final class StubbornTransport: Transport {
        private let status: Int
        private let headers: HTTPHeaders
        private let pieces: [Int]
        private let heads: Int
        /// How many steps there are.
        var steps: Int { heads + pieces.count }
        /// For each step, the error of the sink.
        let errors = Locked<[String?]>([])

        /// - Parameter heads: how often the response begins before its body comes.
        init(_ status: Int, _ headers: HTTPHeaders, _ pieces: [Int], heads: Int) {
            (self.status, self.headers, self.pieces, self.heads) = (status, headers, pieces, heads)
        }

        func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
            let folder = try TemporaryFolder()
            for _ in 0..<heads {
                note { try sink.begin(Response(status: status, headers: headers, request: request)) }
            }
            for (index, size) in pieces.enumerated() {
                let bytes = Data(repeating: UInt8(ascii: "a"), count: size)
                try folder.write(bytes, to: "file")
                note { try index % 2 == 0 ? sink.receive(bytes) : sink.receive(contentsOf: folder["file"]) }
            }
        }

        private func note(_ step: () throws -> Void) {
            var message: String?
            do { try step() } catch { message = (error as? APIError)?.message ?? "\(error)" }
            errors.withLock { $0.append(message) }
        }
    }

    /// Where the body goes.
    enum Sink: CaseIterable, Sendable {
        case memory, memoryWithProgress, fileThatGoesOn, fileWithoutPart, fileOfError, stream, streamTwice,
            streamOfError

        /// The response, and what the first error says.
        var row: (status: Int, headers: HTTPHeaders, message: String) {
            switch self {
            case .memory, .memoryWithProgress: (200, [:], "the response's body is larger than 10")
            case .fileOfError, .streamOfError: (404, [:], "the response's body is larger than 10")
            case .fileThatGoesOn:
                (200, ["ETag": "\"1\"", "Content-Length": "10"], "the server sent more than the 10 bytes")
            case .fileWithoutPart:
                (
                    206, ["ETag": "\"1\"", "Content-Range": "bytes 0-9/10"],
                    "the server sent a part of the body, although the whole was asked for"
                )
            case .stream: (200, [:], "more than 10 bytes wait to be read")
            case .streamTwice: (200, [:], "another response (no content type) came in the middle of the stream")
            }
        }
    }

    @Test(arguments: Sink.allCases)
    func `After an error of a sink, each step of its transport and the call get it`(_ sink: Sink) async throws {
        let folder = try TemporaryFolder()
        let file = folder["file"]
        let (status, headers, message) = sink.row
        let transport = StubbornTransport(status, headers, [6, 6, 4, 6], heads: sink == .streamTwice ? 2 : 1)
        let client = transport.client {
            $0.maximumResponseSize = 10
            $0.streamLimits.bufferSize = 10
        }
        let route = Route.get("x")
        let error = try await failure {
            switch sink {
            case .memory: _ = try await client.data(for: route)
            case .memoryWithProgress: _ = try await client.data(for: route) { _ in }
            case .fileThatGoesOn, .fileWithoutPart, .fileOfError:
                try await client.download(route, to: file, resuming: true)
            case .stream, .streamTwice, .streamOfError:
                let stream = try await client.stream(route)
                // The app reads nothing before the transport has done all steps.
                await poll { transport.errors.withLock { $0.count } == transport.steps }
                for try await _ in stream {}
            }
        }
        // The call can end before the transport has noted the error.
        await poll { transport.errors.withLock { $0.contains { $0 != nil } } }
        let errors = [error.message] + transport.errors.withLock { $0 }.drop { $0 == nil }
        #expect(errors.count > 1 && errors.allSatisfy { $0?.contains(message) == true }, "\(errors)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
