import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bodies that arrive piece by piece.
extension MockTransport {
    /// Passes a reply whose body is read as it arrives. A piece comes when the reader waits for it.
    func flow(
        _ reply: MockReply, to request: URLRequest, _ sink: any BodySink, _ reader: any PacedSink
    ) async throws {
        var reply = reply
        let isCut = reply.failure == .truncated
        if isCut { reply.failure = nil }
        let response = try reply.response(to: request)
        try sink.begin(response.head)
        guard response.isSuccess else { return try sink.receive(response.data) }
        let flow = reply.flow ?? MockFlow()
        for piece in flow.pieces(of: response.data, isCut: isCut) {
            try await reader.wanted()
            try await pause(flow.delay)
            try sink.receive(piece)
        }
        if isCut { throw URLError(.networkConnectionLost) }
        if !flow.isOpen { return }
        try await reader.wanted()
        try await pause(nil)
    }

    /// Waits for a body at its pace, for a call that does not read it as it arrives.
    func waitForBody(of reply: MockReply) async throws {
        guard let flow = reply.flow, reply.status.isSuccessStatus else { return }
        let idleTimeout = call.idleTimeout.flatMap { $0 < flow.delay ? $0 : nil }
        let count = flow.pieces(of: reply.data, isCut: reply.failure == .truncated).count
        let (time, rest) = (idleTimeout ?? flow.delay * count, call.deadline.rest)
        try await call.deadline.sleep(time)
        if time > .zero, time >= rest { throw APIError.noResponse(within: call.deadline.timeout) }
        if let idleTimeout { throw APIError.idle(for: idleTimeout, afterBytes: nil) }
        if flow.isOpen { try await wait(call.deadline.rest) }
    }

    /// Waits between the pieces of a stream.
    ///
    /// - Parameter delay: nil to wait until the call ends.
    private func pause(_ delay: Duration?) async throws {
        if let idleTimeout = call.idleTimeout, idleTimeout < delay ?? .seconds(Int64.max) {
            try await call.deadline.pause(idleTimeout)
            throw APIError.idle(for: idleTimeout, afterBytes: nil)
        }
        if let delay { return delay > .zero ? try await call.deadline.pause(delay) : () }
        while true { try await Task.sleep(for: .seconds(86_400)) }
    }

    /// The events of an answer that is set in code, as a server sends them.
    func text(of events: [ServerSentEvent], from source: MockPlayback.Source) throws(APIError) -> Data {
        var data = Data()
        for event in events {
            guard let text = event.text else {
                throw APIError(
                    .mock, "an event set for the mock \(source) has a line break or NUL in its name or identifier",
                    fix: "remove it; only the data may have several lines")
            }
            data += Data(text.utf8)
        }
        return data
    }
}
