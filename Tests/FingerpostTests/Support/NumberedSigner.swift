import Fingerpost
import FingerpostFiles
import Foundation
import TestSupport

/// Signs with a number that no other signature has.
final class NumberedSigner: RequestSigner {
    private let number = Locked(0)
    let seen = Locked<[URLRequest]>([])
    let again: @Sendable (Response<Data>) async -> Bool

    init(again: @escaping @Sendable (Response<Data>) async -> Bool = { $0.headers["X-Challenge"] != nil }) {
        self.again = again
    }

    func headers(for request: URLRequest) async throws -> HTTPHeaders {
        seen.withLock { $0.append(request) }
        return ["X-Plain": "signature-\(number.next())-4711"]
    }

    func signAgain(after response: Response<Data>, to request: URLRequest) async -> Bool { await again(response) }
}
