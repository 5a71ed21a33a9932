import FingerpostFiles
import Foundation

/// Keeps a copy of a body that is read as it arrives, for an observer that sees the responses of a call.
final class StreamCopy: CallSink {
    private let maximumSize: Int
    /// The body so far; nil once it is too large.
    private let data = Locked<Data?>(Data())
    private let isWhole = Locked(false)

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// The body; nil if it has not come to its end, is too large, or is not text.
    var text: Data? {
        guard isWhole.withLock({ $0 }), let data = data.withLock({ $0 }) else { return nil }
        return String(data: data, encoding: .utf8).map { _ in data }
    }

    /// The copy begins with the body, so there is nothing to discard.
    func begin(_ head: Response<Void>) {}

    func receive(_ bytes: Data) {
        data.withLock { data in
            if let size = data?.count, size + bytes.count > maximumSize { data = nil }
            data?.append(bytes)
        }
    }

    func end(isWhole: Bool) {
        if isWhole { self.isWhole.withLock { $0 = true } }
    }
}
