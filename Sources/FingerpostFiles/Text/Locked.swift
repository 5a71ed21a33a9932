package import Foundation

/// A value that is only reached under a lock.
///
/// Every call makes one of these. `Synchronization.Mutex` needs newer Apple systems than this library supports, and ThreadSanitizer does
/// not know it on Linux; `NSLock` takes four allocations there. Hence a mutex of POSIX. Inlinable, so that other modules specialize it.
package final class Locked<Value>: @unchecked Sendable {
    // Safe to share: `value` is read and written only while the mutex is held, and the mutex lives as long as this object.
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

    /// Runs the body with the value, alone. Do not wait or call out to unknown code inside.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
