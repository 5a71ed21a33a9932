import Fingerpost
import FingerpostFiles
import Foundation

/// Counts the bytes of a call's requests and responses, and decides when to report them.
///
/// | Event | Report |
/// |---|---|
/// | bytes were transferred | a report is due if the last one was made at least 50 milliseconds ago |
/// | a body has ended | one report is always due |
/// | the request is sent again | a report with a count of zero is due, under the same condition as for bytes |
///
/// A mock transfers its few chunks almost without delay, so each chunk of a mock is reported.
struct TransferMeter {
    /// The minimum time between two reports, which allows 20 reports per second.
    static let interval = Duration.milliseconds(50)
    /// The time span over which the speed is measured.
    static let window = Duration.seconds(5)

    private enum Phase {
        /// In `idle`, no body is counted. Only the bodies of requests and of successful responses are counted.
        case idle, upload, download
    }

    private let isMocked: Bool
    private(set) var attempt = 0
    private var phase = Phase.idle
    private var completed: Int64 = 0
    private var total: Int64?
    /// False if the headers of a response do not contain the number of bytes that the client receives.
    private var hasSize = true
    /// The byte counts of the current body at earlier times. The samples go back at least to the start of `window`.
    private var samples: [(time: Duration, bytes: Int64)] = []
    private var last: TransferProgress?
    private var lastTime: Duration

    /// - Parameter isMocked: true if a mock answers.
    init(isMocked: Bool, at now: Duration) {
        self.isMocked = isMocked
        lastTime = now
    }

    /// Counts an event of a call's transfers.
    ///
    /// - Parameter download: the sink of a download that can resume. Nil for any other call.
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

    /// Notes that a request is about to be sent.
    ///
    /// - Parameter size: the size of the request's body in bytes. Nil if the size is unknown.
    mutating func start(sending size: Int64?, at now: Duration) -> TransferProgress? {
        attempt += 1
        if size == 0 { begin(.idle, total: nil, at: now) } else { begin(.upload, total: size, at: now) }
        // A progress bar must return to zero before the first bytes are transferred.
        return last == nil || isMocked ? nil : due(at: now)
    }

    /// Notes that a part of the request's body was sent.
    ///
    /// - Parameter bytes: the number of bytes of the body that have been sent so far.
    mutating func sent(_ bytes: Int64, at now: Duration) -> TransferProgress? {
        guard phase == .upload, bytes > completed else { return nil }
        completed = bytes
        return completed == total ? report(isFinished: true, at: now) : due(at: now)
    }

    // MARK: Responses

    /// Notes that the head of a response arrived.
    ///
    /// - Parameter kept: the number of bytes from an earlier response, if this response contains the rest of the body.
    mutating func begin(_ head: Response<Void>, after kept: Int64 = 0, at now: Duration) -> TransferProgress? {
        // An interim response is ignored, because the final response follows.
        if (100..<200).contains(head.status) { return nil }
        let end = endOfUpload(isAccepted: head.isSuccess, at: now)
        begin(head.isSuccess ? .download : .idle, after: kept, total: head.bodySize.map { kept + $0 }, at: now)
        hasSize = !head.isEncoded
        return end
    }

    /// Sets the size of the response's body, unless the headers show that the size is unknown.
    mutating func expect(_ bytes: Int64) { if hasSize { total = bytes } }

    /// Counts a chunk of the response's body.
    mutating func receive(_ size: Int64, at now: Duration) -> TransferProgress? {
        guard phase == .download, size > 0 else { return nil }
        completed += size
        return completed == total ? report(isFinished: true, at: now) : due(at: now)
    }

    /// Notes that the response is complete.
    mutating func end(at now: Duration) -> TransferProgress? {
        phase == .download ? finish(at: now) : nil
    }

    /// Notes that the call succeeds. The end of the download is reported even if the response has no body, or if
    /// middleware answered.
    ///
    /// - Parameter size: the size of the response's body in bytes.
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

    /// When the response arrives, returns the last report of the upload, if this report was not made yet. The size of a
    /// stream is unknown, so only the response shows that the stream has ended.
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
    /// True if no header contains the number of bytes that the client receives, because the body is compressed or sent
    /// in chunks.
    fileprivate var isEncoded: Bool {
        isCompressed || headers.contains("Transfer-Encoding")
    }

    /// The size of the body in bytes. Nil if the headers do not contain the size.
    fileprivate var bodySize: Int64? {
        // RFC 9110 sections 9.3.2, 15.3.5 and 15.4.5.
        if request.httpMethod?.uppercased() == "HEAD" || status == 204 || status == 304 { return 0 }
        guard !isEncoded, lengths.count == 1, let size = lengths.first.flatMap({ Int64($0) }), size >= 0 else {
            return nil
        }
        return size
    }
}
