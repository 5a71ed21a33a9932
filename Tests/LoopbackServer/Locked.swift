import Foundation

/// A value that is only reached under a lock.
final class Locked<Value>: @unchecked Sendable {
    // Safe to share: `value` is read and written only between `lock()` and `unlock()`.
    private var value: Value
    private let lock = NSLock()

    init(_ value: sending Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
