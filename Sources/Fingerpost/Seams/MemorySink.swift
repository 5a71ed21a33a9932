import FingerpostFiles
package import Foundation

/// Collects a body in memory.
package final class MemorySink: CallSink {
    private let received = Locked<(head: Response<Void>?, body: Data)>((nil, Data()))
    private let maximumSize: Int
    /// The transport that returns the body as a whole; nil if it is collected for another purpose.
    let owner: (any Transport.Type)?

    /// - Parameter maximumSize: the maximum size of the body, in bytes.
    package init(maximumSize: Int = .max, of owner: (any Transport.Type)? = nil) {
        (self.maximumSize, self.owner) = (maximumSize, owner)
    }

    package var isMemory: Bool { true }

    package func begin(_ head: Response<Void>) { received.withLock { $0 = (head, Data()) } }

    /// - Throws: ``APIError`` when the body becomes too large. The bytes received so far are released.
    package func receive(_ bytes: Data) throws {
        try received.withLock { received in
            guard bytes.count <= maximumSize - received.body.count else {
                received.body = Data()
                let error = APIError(
                    .transport, "the response's body is larger than \(maximumSize) bytes",
                    fix: "write it to a file with download(_:to:), or raise the configuration's maximumResponseSize")
                throw received.head.map { error.adding(Response($0, data: Data())) } ?? error
            }
            // Most bodies arrive in one piece: keep that piece instead of copying its bytes.
            if received.body.isEmpty { received.body = bytes } else { received.body.append(bytes) }
        }
    }

    package func response() throws -> Response<Data> {
        let (head, body) = received.withLock { $0 }
        guard let head else { throw URLError(.badServerResponse) }
        return Response(head, data: body)
    }
}
