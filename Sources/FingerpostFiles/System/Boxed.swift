/// Keeps a large value behind a reference. Thousands of calls may wait at once, and each waiting function needs memory
/// for an error and for several copies of a response.
///
/// Other modules specialize the members for their types, as for ``Locked``. An indirect enumeration would do the same,
/// but Swift 6.3 crashes where one is consumed.
@frozen @propertyWrapper @usableFromInline package struct Boxed<Value: Sendable>: Sendable {
    @usableFromInline final class Box: Sendable {
        @usableFromInline let value: Value

        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box

    @inlinable package init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// A change copies the whole value, so make changes together.
    @inlinable package var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}
