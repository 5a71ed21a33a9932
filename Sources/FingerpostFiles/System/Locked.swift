public import Foundation

/// A value that is only accessed while a lock is held. Copies share the value.
///
/// The lock is a POSIX mutex, because every API call creates an instance and `NSLock` takes four allocations on Linux.
/// `Synchronization.Mutex` requires newer Apple systems than this library supports, and ThreadSanitizer does not
/// recognize it on Linux.
///
/// Other modules specialize the members for their types, which is possible only because the type is
/// `@usableFromInline`; `@inlinable` members are not enough.
@frozen @usableFromInline package struct Locked<Value>: @unchecked Sendable {
    /// The mutex and the value in one allocation, so that both exist as long as any copy.
    ///
    /// A value behind a pointer, unlike a stored property, needs no check for exclusive access. The mutex already
    /// ensures exclusive access.
    @usableFromInline final class Box: ManagedBuffer<pthread_mutex_t, Value> {
        deinit {
            withUnsafeMutablePointers { mutex, value in
                pthread_mutex_destroy(mutex)
                value.deinitialize(count: 1)
            }
        }
    }

    // This property is Sendable, because the value is only accessed while the mutex is locked. The value enters and
    // leaves as `sending`.
    @usableFromInline let box: ManagedBuffer<pthread_mutex_t, Value>

    @inlinable package init(_ value: consuming sending Value) {
        box = Box.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        let (mutex, place) = box.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_init(mutex, nil)
        place.initialize(to: value)
        withExtendedLifetime(box) {}
    }

    /// Runs the body with exclusive access to the value. The body must not wait for anything or call the app's code.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        // The pointers are valid as long as the box. A closure around the body could not return a `sending` result.
        let (mutex, value) = box.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer { withExtendedLifetime(box) { _ = pthread_mutex_unlock(mutex) } }
        return try body(&value.pointee)
    }
}
