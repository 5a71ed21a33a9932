/// Casts a value to its exact static type with one comparison; `as?` also checks bridging, wrapped values and
/// subclasses.
@inline(__always)
func exactly<Value, Known>(_ value: Value, _ type: Known.Type) -> Known? {
    // Safe because both types are the same.
    Value.self == type ? unsafeBitCast(value, to: type) : nil
}
