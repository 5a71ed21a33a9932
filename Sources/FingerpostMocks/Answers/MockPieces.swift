import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The pieces in which a mock passes the bodies of a call that reports its progress: ten of each body, the same in each
/// run and on each machine, and never an empty one.
struct MockPieces {
    /// How many bytes of the request's body have been sent after each piece.
    let uploads: [Int64]
    /// The pieces of the response's body.
    let downloads: [Range<Int>]

    /// - Parameter response: nil if the mock simulates a failed connection instead.
    init(of request: URLRequest, and response: Response<Data>?) {
        // Nothing reads a stream whose size is not known.
        uploads = Self.ends(of: request.bodySize ?? 0)
        let ends = Self.ends(of: Int64(response?.data.count ?? 0)).map { Int($0) }
        downloads = zip([0] + ends, ends).map { $0..<$1 }
    }

    var isEmpty: Bool { uploads.isEmpty && downloads.isEmpty }

    private static func ends(of size: Int64) -> [Int64] {
        let count = min(10, size)
        return count == 0 ? [] : (1...count).map { size / count * $0 + size % count * $0 / count }
    }

    /// The waits before the pieces. Together they take as long as the delay, to the last attosecond.
    private func waits(in delay: Duration) -> [Duration] {
        let count = uploads.count + downloads.count
        return (0..<count).map { delay * ($0 + 1) / count - delay * $0 / count }
    }

    /// Passes the pieces to a sink, and spreads a delay over them.
    ///
    /// - Parameters:
    ///   - response: the response whose body has these pieces; nil for none.
    ///   - sleep: waits on the clock of the call.
    /// - Throws: the errors of the sink and of `sleep`, and `CancellationError` when the task is cancelled.
    func pass(
        _ response: Response<Data>?, to sink: any CallSink, during delay: Duration,
        _ sleep: (Duration) async throws -> Void
    ) async throws {
        var waits = waits(in: delay).makeIterator()
        for end in uploads {
            try await waitForPiece(waits.next(), sleep)
            sink.sent(end)
        }
        guard let response else { return }
        try sink.begin(response.head)
        sink.expect(Int64(response.data.count))
        for piece in downloads {
            try await waitForPiece(waits.next(), sleep)
            let start = response.data.startIndex + piece.lowerBound
            try sink.receive(response.data[start..<start + piece.count])
        }
    }

    private func waitForPiece(_ time: Duration?, _ sleep: (Duration) async throws -> Void) async throws {
        // The app may cancel the call when it hears of a piece.
        try Task.checkCancellation()
        if let time, time > .zero { try await sleep(time) }
    }
}
