import Foundation

/// A value that is only reached under a lock.
///
/// `Synchronization.Mutex` needs newer systems than this library supports, hence `NSLock`.
package final class Locked<Value>: @unchecked Sendable {
    // Safe to share: `value` is read and written only between `lock()` and `unlock()`.
    private var value: Value
    private let lock = NSLock()

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs the body with the value, alone. Do not wait or call out to unknown code inside.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
