import FingerpostFiles
import Foundation

/// The right of one call to send a stream. Two calls that read one stream would each send a part of it.
final class StreamClaim: Sendable {
    private let id: ObjectIdentifier
    private let claimed: Locked<Set<ObjectIdentifier>>

    /// - Parameter claimed: the streams that the client's calls are sending.
    /// - Throws: ``APIError`` of the kind `encoding` if another call is sending the stream.
    init(_ stream: InputStream, among claimed: Locked<Set<ObjectIdentifier>>) throws(APIError) {
        let id = ObjectIdentifier(stream.original)
        guard claimed.withLock({ $0.insert(id).inserted }) else {
            throw APIError(
                .encoding, "the body's stream is being sent by another call",
                fix: "give each call a stream of its own: let the closure of BodyStream return a new one")
        }
        self.id = id
        self.claimed = claimed
    }

    deinit { _ = claimed.withLock { $0.remove(id) } }
}

extension InputStream {
    /// The stream that the app has created.
    fileprivate var original: InputStream {
        #if canImport(FoundationNetworking)
            (self as? CheckedStream)?.stream ?? self
        #else
            self
        #endif
    }
}
