import Fingerpost
import FingerpostMockFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How the answer of a mock takes its time: its delay, and the pace of a body that arrives piece by piece.
struct AnswerTiming {
    let call: CallContext

    // MARK: The delay

    /// Waits for the delay of an answer.
    ///
    /// - Parameter observer: receives the bodies of the request and of the answer meanwhile; nil if nobody measures the
    ///   progress of the call.
    func delay(_ answer: SentAnswer, to request: URLRequest, inPiecesTo observer: (any CallSink)?) async throws {
        if let observer {
            try await pass(answer, to: request, observer)
        } else if let delay = answer.delay {
            try await call.deadline.sleep(delay)
        }
    }

    /// Passes the bodies of a request and of its answer in pieces during the answer's delay.
    private func pass(_ answer: SentAnswer, to request: URLRequest, _ observer: any CallSink) async throws {
        let response = try? answer.response(to: request)
        let pieces = MockPieces(of: request, and: response)
        let (delay, deadline) = (answer.delay ?? .zero, call.deadline)
        let isSpread = !pieces.isEmpty && deadline.allows(delay)
        if !isSpread, let delay = answer.delay { try await deadline.sleep(delay) }
        try await pieces.pass(response, to: observer, during: isSpread ? delay : .zero, deadline.pause)
    }

    // MARK: Bodies that arrive piece by piece

    /// Waits for a body at its pace, for a call that does not read it as it arrives.
    func waitForBody(of answer: SentAnswer) async throws {
        guard answer.interval > .zero || answer.isOpen, answer.status.isSuccessStatus else { return }
        let count = answer.pieces(of: answer.data, isCut: answer.failure == .truncated).count
        if answer.interval > .zero { try await call.deadline.sleep(answer.interval, times: count) }
        // No wait is longer than the timeout.
        if answer.isOpen { try await call.deadline.sleep(call.deadline.timeout) }
    }

    /// Passes an answer whose body is read as it arrives. A piece comes when the reader waits for it.
    func flow(_ answer: SentAnswer, to request: URLRequest, _ sink: any CallSink) async throws {
        var answer = answer
        let isCut = answer.failure == .truncated
        if isCut { answer.failure = nil }
        let response = try answer.response(to: request)
        try sink.begin(response.head)
        guard response.isSuccess else { return try sink.receive(response.data) }
        for piece in answer.pieces(of: response.data, isCut: isCut) {
            try await sink.wanted()
            try await call.deadline.sleepInStream(answer.interval)
            try sink.receive(piece)
        }
        if isCut { throw URLError(.networkConnectionLost) }
        if !answer.isOpen { return }
        try await sink.wanted()
        try await call.deadline.sleepInStream(nil)
    }
}
