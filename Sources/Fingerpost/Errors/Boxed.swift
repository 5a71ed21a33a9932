/// Keeps a large value behind a reference. Thousands of calls may wait at once, and each function that waits for one
/// has room for an error and for several copies of a response.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// The value. A change copies all of it, so what changes together is changed in one.
    var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}
