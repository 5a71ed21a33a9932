import Foundation

/// A value protected by a lock.
final class Locked<Value>: @unchecked Sendable {
    // Sendable because `value` is accessed only between `lock()` and `unlock()`.
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
