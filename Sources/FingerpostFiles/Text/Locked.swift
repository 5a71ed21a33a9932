#if canImport(Darwin)
    package import Foundation
#else
    package import Synchronization
#endif

/// A value that is only reached under a lock.
///
/// On Apple platforms `Synchronization.Mutex` needs newer systems than this library supports, hence `NSLock`. Elsewhere `NSLock` is
/// five allocations, and every call makes some of these, hence `Mutex`. Inlinable, so that other modules have it for their own types.
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

    /// Runs the body with the value, alone. Do not wait or call out to unknown code inside.
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
