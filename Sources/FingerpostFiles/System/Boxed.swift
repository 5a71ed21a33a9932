/// Stores a large value behind a reference. Thousands of calls may wait at the same time, and each waiting function
/// needs memory for an error and for several copies of a response.
///
/// Other modules specialize the members for their types, as for ``Locked``. An indirect enumeration would work too, but
/// Swift 6.3 crashes when code consumes an indirect enumeration.
@frozen @propertyWrapper @usableFromInline package struct Boxed<Value: Sendable>: Sendable {
    /// Contains one value. An array stores its elements behind a reference. A custom class could not be inlined in a
    /// framework that may change.
    @usableFromInline var box: [Value]

    @inlinable package init(wrappedValue: Value) { box = [wrappedValue] }

    /// A change copies the whole value, so make changes together.
    @inlinable package var wrappedValue: Value {
        get { box[0] }
        set { box = [newValue] }
    }
}
