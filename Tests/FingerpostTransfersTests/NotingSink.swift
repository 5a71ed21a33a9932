import Fingerpost
import FingerpostFiles
import Foundation

/// Notes what it is told.
final class NotingSink: BodySink {
    private let told = Locked<[String]>([])

    /// The status of each head, and the text of each piece.
    var steps: [String] { told.withLock { $0 } }

    func begin(_ head: Response<Void>) { told.withLock { $0.append("\(head.status)") } }

    func receive(_ bytes: Data) { told.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
}
