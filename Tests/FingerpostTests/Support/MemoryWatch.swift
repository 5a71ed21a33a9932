import Fingerpost
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures the memory of the process during calls.
final class MemoryWatch: Middleware {
    private let before = ResidentMemory.bytes
    private let peak = Locked(0)

    /// The maximum growth of the process, in bytes.
    var growth: Int { peak.withLock { $0 } - before }

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        let isOver = Locked(false)
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread { [peak] in
            while !isOver.withLock({ $0 }) {
                let bytes = ResidentMemory.bytes
                peak.withLock { $0 = max($0, bytes) }
                _ = ended.wait(timeout: .now() + .milliseconds(5))
            }
        }
        thread.start()
        defer {
            isOver.withLock { $0 = true }
            ended.signal()
        }
        return try await next(request)
    }
}
