#if canImport(Darwin)
    package import Foundation
#else
    package import Synchronization
#endif

/// A value that is protected by a lock.
///
/// Uses `NSLock` on Apple platforms, because `Synchronization.Mutex` needs newer systems than this library supports.
/// Uses `Mutex` elsewhere, because an `NSLock` there takes five allocations, and every call creates several locks.
/// Inlinable, so that other modules can specialize it for their own types.
package final class Locked<Value>: @unchecked Sendable {
    // Safe to share: `value` is read and written only while the lock is held.
    @usableFromInline var value: Value
    #if canImport(Darwin)
        @usableFromInline let lock = NSLock()
    #else
        @usableFromInline let lock = Mutex<Void>(())
    #endif

    @inlinable package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs the body with exclusive access to the value. The body must not block or call unknown code.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if canImport(Darwin)
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        #else
            return try lock.withLock { _ throws(Failure) in try body(&value) }
        #endif
    }
}
