import Fingerpost
import FingerpostFiles
import Foundation

/// Counts the bytes of a call's requests and responses, and decides when to report them.
///
/// | Event | Report |
/// |---|---|
/// | bytes passed | 50 milliseconds after the last report, or later |
/// | a body has ended | always, once |
/// | the request is sent again | as for bytes, with a count of zero |
///
/// A mock has few bytes to pass and no time in which to pass them: each of its chunks is reported.
struct TransferMeter {
    /// The least time between two reports: 20 reports in a second.
    static let interval = Duration.milliseconds(50)
    /// The time over which the speed is measured.
    static let window = Duration.seconds(5)

    private enum Phase {
        /// Neither a body of the request nor a successful response is passing.
        case idle, upload, download
    }

    private let isMocked: Bool
    private(set) var attempt = 0
    private var phase = Phase.idle
    private var completed: Int64 = 0
    private var total: Int64?
    /// False for a response whose bytes say nothing of its size.
    private var hasSize = true
    /// How many bytes had passed at the last times of the current body, at least since `window`.
    private var samples: [(time: Duration, bytes: Int64)] = []
    private var last: TransferProgress?
    private var lastTime: Duration

    /// - Parameter isMocked: true if a mock answers.
    init(isMocked: Bool, at now: Duration) {
        self.isMocked = isMocked
        lastTime = now
    }

    /// Counts what happens in the transfers of a call.
    ///
    /// - Parameter download: the sink of the call, if it is a download that may go on.
    mutating func note(_ event: TransferEvent, of download: DownloadSink?, at now: Duration) -> TransferProgress? {
        switch event {
        case .starts(let size): return start(sending: size, at: now)
        case .sent(let total): return sent(total, at: now)
        case .began(let head): return begin(head, after: download?.kept ?? 0, at: now)
        case .expects(let size): expect(size)
        case .received(let size): return receive(size, at: now)
        case .ended: return end(at: now)
        case .succeeded(let size): return succeed(size, at: now)
        case .waitsForConnection: break
        }
        return nil
    }

    // MARK: Requests

    /// A request is about to be sent.
    ///
    /// - Parameter size: the size of its body in bytes; nil if it is not known.
    mutating func start(sending size: Int64?, at now: Duration) -> TransferProgress? {
        attempt += 1
        if size == 0 { begin(.idle, total: nil, at: now) } else { begin(.upload, total: size, at: now) }
        // A bar must go back before the first bytes pass.
        return last == nil || isMocked ? nil : due(at: now)
    }

    /// A part of the request's body was sent.
    ///
    /// - Parameter bytes: how much of the body has been sent so far.
    mutating func sent(_ bytes: Int64, at now: Duration) -> TransferProgress? {
        guard phase == .upload, bytes > completed else { return nil }
        completed = bytes
        return completed == total ? report(isFinished: true, at: now) : due(at: now)
    }

    // MARK: Responses

    /// The head of a response came.
    ///
    /// - Parameter kept: how many bytes of the body an earlier response brought, if this one brings the rest.
    mutating func begin(_ head: Response<Void>, after kept: Int64 = 0, at now: Duration) -> TransferProgress? {
        // The final response is still to come.
        if (100..<200).contains(head.status) { return nil }
        let end = endOfUpload(isAccepted: head.isSuccess, at: now)
        begin(head.isSuccess ? .download : .idle, after: kept, total: head.bodySize.map { kept + $0 }, at: now)
        hasSize = !head.isEncoded
        return end
    }

    /// The size of the response's body became known without a header.
    mutating func expect(_ bytes: Int64) { if hasSize { total = bytes } }

    /// A part of the response's body came.
    mutating func receive(_ size: Int64, at now: Duration) -> TransferProgress? {
        guard phase == .download, size > 0 else { return nil }
        completed += size
        return completed == total ? report(isFinished: true, at: now) : due(at: now)
    }

    /// The response is complete.
    mutating func end(at now: Duration) -> TransferProgress? {
        phase == .download ? finish(at: now) : nil
    }

    /// The call succeeds. It reports the end of a download also if its response has no body, or if middleware answered.
    ///
    /// - Parameter size: the size of the call's response in bytes.
    mutating func succeed(_ size: Int64, at now: Duration) -> TransferProgress? {
        if let last, last.isFinished, last.direction == .download { return nil }
        attempt = max(1, attempt)
        begin(.download, total: nil, at: now)
        completed = size
        hasSize = true
        return finish(at: now)
    }

    // MARK: Reports

    private mutating func begin(_ phase: Phase, after kept: Int64 = 0, total: Int64?, at now: Duration) {
        (self.phase, self.total, completed, hasSize) = (phase, total, kept, true)
        samples = [(now, kept)]
    }

    /// The last report of the upload when its response comes, if it is not known to be complete. The size of a stream
    /// is not known, so only the response shows its end.
    private mutating func endOfUpload(isAccepted: Bool, at now: Duration) -> TransferProgress? {
        guard phase == .upload, completed > 0 else { return nil }
        let isEnd = isAccepted && total == nil
        let isReported = last?.attempt == attempt && last?.completedBytes == completed
        return isReported && !isEnd ? nil : report(isFinished: isEnd, at: now)
    }

    private mutating func finish(at now: Duration) -> TransferProgress? {
        if let last, last.isFinished, last.direction == .download, last.attempt == attempt { return nil }
        if hasSize { total = completed }
        return report(isFinished: true, at: now)
    }

    private mutating func due(at now: Duration) -> TransferProgress? {
        isMocked || now - lastTime >= Self.interval ? report(isFinished: false, at: now) : nil
    }

    private mutating func report(isFinished: Bool, at now: Duration) -> TransferProgress {
        // Keep one sample that is older than the window, so that a pause lowers the speed.
        let old = samples.prefix { now - $0.time >= Self.window }.count
        if old > 1 { samples.removeFirst(old - 1) }
        samples.append((now, completed))
        let progress = TransferProgress(
            phase == .upload ? .upload : .download, attempt: attempt, completedBytes: completed, totalBytes: total,
            bytesPerSecond: speed, isFinished: isFinished)
        (last, lastTime) = (progress, now)
        return progress
    }

    private var speed: Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return 0 }
        return Double(last.bytes - first.bytes) / ((last.time - first.time) / .seconds(1))
    }
}

extension Response {
    /// True if the number of the body's bytes is not known from a header, because the body is decompressed or sent in
    /// chunks.
    fileprivate var isEncoded: Bool {
        isCompressed || headers.contains("Transfer-Encoding")
    }

    /// The size of the body in bytes; nil if the head does not tell it.
    fileprivate var bodySize: Int64? {
        // RFC 9110 sections 9.3.2, 15.3.5 and 15.4.5.
        if request.httpMethod?.uppercased() == "HEAD" || status == 204 || status == 304 { return 0 }
        guard !isEncoded, lengths.count == 1, let size = lengths.first.flatMap({ Int64($0) }), size >= 0 else {
            return nil
        }
        return size
    }
}
