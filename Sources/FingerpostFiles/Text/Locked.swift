package import Foundation

/// A value that is only accessed while a lock is held.
///
/// Every call creates one, so it is a POSIX mutex: `NSLock` takes four allocations on Linux, and
/// `Synchronization.Mutex` needs newer Apple systems than this library supports and is unknown to ThreadSanitizer on
/// Linux. Inlinable, so that other modules specialize it for their types.
package final class Locked<Value>: @unchecked Sendable {
    // Safe to share: `value` is only read and written while the mutex is locked, and the mutex lives as long as this
    // object.
    @usableFromInline var value: Value
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @inlinable package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs the body with exclusive access to the value. Do not wait or call code of the app inside.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
