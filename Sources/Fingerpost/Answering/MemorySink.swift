import FingerpostFiles
import Foundation

/// Collects a body in memory.
final class MemorySink: ResponseSink {
    private let received = Locked<(head: Response<Void>?, body: Data)>((nil, Data()))

    func prepare() {}

    func begin(_ head: Response<Void>) {
        received.withLock { $0 = (head, Data()) }
    }

    func receive(_ bytes: Data) {
        received.withLock { received in
            // Most bodies arrive in one piece: keep that piece instead of copying its bytes.
            if received.body.isEmpty { received.body = bytes } else { received.body.append(bytes) }
        }
    }

    func response() throws -> Response<Data> {
        let (head, body) = received.withLock { $0 }
        guard let head else { throw URLError(.badServerResponse) }
        return Response(head, data: body)
    }

    func discard() {}
}
