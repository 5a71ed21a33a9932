import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Delays responses, and sends the chunks of a body at the body's pace.
extension MockCall {
    /// Passes the bodies of a request and of its response to `transfer`. The chunks are spread over the response's
    /// delay.
    ///
    /// - Parameter transfer: receives the chunks and reports the progress of the call.
    func pass(_ answer: MockDelivery, to request: URLRequest, _ transfer: Transfer) async throws {
        let response = try? answer.response(to: request)
        let pieces = MockPieces(of: request, and: response)
        let (delay, deadline) = (answer.delay ?? .zero, call.deadline)
        let isSpread = !pieces.isEmpty && deadline.allows(delay)
        if !isSpread, let delay = answer.delay { try await deadline.sleep(delay) }
        try await pieces.pass(response, to: transfer, during: isSpread ? delay : .zero, deadline.pause)
    }

    // MARK: Bodies that arrive chunk by chunk

    /// Waits as long as the body would take to arrive. This method is for calls that do not read the body chunk by
    /// chunk.
    func waitForBody(of answer: MockDelivery) async throws {
        guard answer.status.isSuccessStatus else { return }
        let count = answer.pieces(of: answer.data, isCut: answer.failure == .truncated).count
        if answer.interval > .zero { try await call.deadline.sleep(answer.interval, times: count) }
        // The connection stays open, so the call waits until its timeout.
        if answer.stub.isOpen == true { try await call.deadline.sleep(call.deadline.timeout) }
    }

    /// Passes a response to a call that reads the body chunk by chunk. A chunk is sent only when the reader waits for
    /// the next chunk.
    func flow(
        _ answer: MockDelivery, to request: URLRequest, into sink: any BodySink, at pace: any BodyPace
    ) async throws {
        var answer = answer
        let isCut = answer.failure == .truncated
        if isCut { answer.failure = nil }
        let response = try answer.response(to: request)
        try sink.begin(response.head)
        guard response.isSuccess else { return try sink.receive(response.data) }
        for piece in answer.pieces(of: response.data, isCut: isCut) {
            try await pace.wanted()
            try await call.deadline.sleepInStream(answer.interval)
            try sink.receive(piece)
        }
        if isCut { throw URLError(.networkConnectionLost) }
        if answer.stub.isOpen != true { return }
        try await pace.wanted()
        try await call.deadline.sleepInStream(nil)
    }
}

/// Waits that simulate a silent server.
extension Deadline {
    /// Waits like a call to a silent server.
    ///
    /// - Parameters:
    ///   - silence: how long the server is silent.
    ///   - count: how many times the server is silent.
    /// - Throws: ``APIError`` at the deadline, and when the idle timeout has passed; `CancellationError` when the task
    ///   is cancelled.
    func sleep(_ silence: Duration, times count: Int = 1) async throws {
        // Time that has already passed, for example in middleware or earlier attempts, counts toward the timeout.
        let rest = rest
        let idle = idleTimeout(shorterThan: silence)
        let wait = idle ?? silence * count
        try await pause(max(.zero, min(wait, rest)))
        if wait >= rest { throw APIError.noResponse(within: timeout) }
        if let idle { throw APIError.idle(for: idle, afterBytes: nil) }
    }

    /// Waits like a stream from a silent server. The deadline does not limit this wait, because the deadline covers
    /// only the time until the head of the stream arrives.
    ///
    /// - Parameter silence: how long the server is silent. Nil if the server stays silent forever.
    /// - Throws: ``APIError`` when the idle timeout has passed; `CancellationError` when the task is cancelled.
    func sleepInStream(_ silence: Duration?) async throws {
        if let idle = idleTimeout(shorterThan: silence ?? .seconds(Int64.max)) {
            try await pause(idle)
            throw APIError.idle(for: idle, afterBytes: nil)
        }
        while silence == nil { try await Task.sleep(for: .seconds(86_400)) }
        if let silence, silence > .zero { try await pause(silence) }
    }

    /// Returns true if a silence of the server ends before the deadline and within the idle timeout.
    func allows(_ silence: Duration) -> Bool {
        silence < rest && idleTimeout(shorterThan: silence) == nil
    }

    private func idleTimeout(shorterThan silence: Duration) -> Duration? {
        idleTimeout.flatMap { $0 < silence ? $0 : nil }
    }
}

extension MockDelay {
    /// Returns the delay. A random delay is between 0 seconds and one day.
    func duration(using generator: inout any RandomNumberGenerator) -> Duration {
        let seconds: Double
        switch self {
        case .fixed(let delay): return delay
        case .uniform(let range): seconds = Double.random(in: range, using: &generator)
        case .logNormal(let median, let p99):
            // The 99th percentile of a normal distribution is 2.326 standard deviations above its mean.
            seconds = median * exp(log(p99 / median) / 2.326 * Self.normal(using: &generator))
        }
        // A log-normal distribution has no upper bound, and a median near zero can result in NaN.
        return .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 86_400))
    }

    /// Returns a random number from the standard normal distribution (Box–Muller).
    private static func normal(using generator: inout any RandomNumberGenerator) -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }
}

/// Splits the bodies of a call into chunks. A mock uses these chunks if the call reports its progress. A body has ten
/// chunks, or one chunk per byte if it is smaller than ten bytes. The chunks are the same in each run and on each
/// machine.
struct MockPieces {
    /// The number of bytes that have been sent after each chunk of the request's body.
    let uploads: [Int64]
    /// The chunks of the response's body.
    let downloads: [Range<Int>]

    /// - Parameter response: nil if the mock simulates a failed connection.
    init(of request: URLRequest, and response: Response<Data>?) {
        // A stream of unknown size is not read, so it has no chunks.
        uploads = Self.ends(of: request.bodySize ?? 0)
        let ends = Self.ends(of: Int64(response?.data.count ?? 0)).map { Int($0) }
        downloads = zip([0] + ends, ends).map { $0..<$1 }
    }

    var isEmpty: Bool { uploads.isEmpty && downloads.isEmpty }

    private static func ends(of size: Int64) -> [Int64] {
        let count = min(10, size)
        return count == 0 ? [] : (1...count).map { size / count * $0 + size % count * $0 / count }
    }

    /// Returns the waits before the chunks. The sum of the waits is exactly the delay.
    private func waits(in delay: Duration) -> [Duration] {
        let count = uploads.count + downloads.count
        return (0..<count).map { delay * ($0 + 1) / count - delay * $0 / count }
    }

    /// Passes the chunks to a sink, and spreads a delay over them.
    ///
    /// - Parameters:
    ///   - response: the response whose body has these chunks; nil if there is no response.
    ///   - sleep: waits on the clock of the call.
    /// - Throws: the errors of the sink and of `sleep`, and `CancellationError` when the task is cancelled.
    func pass(
        _ response: Response<Data>?, to transfer: Transfer, during delay: Duration,
        _ sleep: (Duration) async throws -> Void
    ) async throws {
        var waits = waits(in: delay).makeIterator()
        for end in uploads {
            try await waitForPiece(waits.next(), sleep)
            transfer.note(.sent(end))
        }
        guard let response else { return }
        try transfer.begin(response.head)
        transfer.note(.expects(Int64(response.data.count)))
        for piece in downloads {
            try await waitForPiece(waits.next(), sleep)
            let start = response.data.startIndex + piece.lowerBound
            try transfer.receive(response.data[start..<start + piece.count])
        }
    }

    private func waitForPiece(_ time: Duration?, _ sleep: (Duration) async throws -> Void) async throws {
        // The app may cancel the call when it receives a progress report.
        try Task.checkCancellation()
        if let time, time > .zero { try await sleep(time) }
    }
}
