package import Foundation

/// A value that is only accessed while a lock is held.
///
/// The lock is a POSIX mutex, because every API call creates an instance and `NSLock` takes four allocations on Linux.
/// `Synchronization.Mutex` requires newer Apple systems than this library supports, and ThreadSanitizer does not
/// recognize it on Linux. The members are inlinable, so that other modules can specialize this class for their types.
package final class Locked<Value>: @unchecked Sendable {
    // Instances can be shared between threads, because the value is only read and written while the mutex is locked,
    // and both live as long as this object. A value behind a pointer, unlike a stored property, needs no check for
    // exclusive access, which the mutex ensures already.
    @usableFromInline let value: UnsafeMutablePointer<Value>
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @inlinable package init(_ value: consuming sending Value) {
        // One allocation for both: the value, and the mutex after it.
        let alignment = max(MemoryLayout<Value>.alignment, MemoryLayout<pthread_mutex_t>.alignment)
        let offset = (MemoryLayout<Value>.size + alignment - 1) / alignment * alignment
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<pthread_mutex_t>.size, alignment: alignment)
        self.value = memory.initializeMemory(as: Value.self, to: consume value)
        mutex = (memory + offset).initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        value.deinitialize(count: 1)
        UnsafeMutableRawPointer(value).deallocate()
    }

    /// Runs the body with exclusive access to the value. The body must not wait for anything or call the app's code.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
