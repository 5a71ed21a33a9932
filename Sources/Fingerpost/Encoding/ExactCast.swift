/// A value as the type that it has exactly: one comparison, where `as?` looks for bridges, wrapped values and subclasses.
@inline(__always)
func exactly<Value, Known>(_ value: Value, _ type: Known.Type) -> Known? {
    // Sound, as the two types are then one.
    Value.self == type ? unsafeBitCast(value, to: type) : nil
}
