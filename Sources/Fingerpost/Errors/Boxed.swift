/// Keeps a large value behind a reference. Thousands of calls may wait at once, and each function that waits for one has
/// room for an error and for several copies of a response.
@propertyWrapper
indirect enum Boxed<Value: Sendable>: Sendable {
    case value(Value)

    init(wrappedValue: Value) { self = .value(wrappedValue) }

    /// The value. A change copies all of it, so what changes together is changed in one.
    var wrappedValue: Value {
        get {
            switch self {
            case .value(let value): value
            }
        }
        set { self = .value(newValue) }
    }
}
