/// Casts a value to a type if that type is exactly the value's static type; otherwise returns nil. This cast needs only
/// one comparison, while `as?` also checks bridging, wrapped values and subclasses.
@inline(__always)
func exactly<Value, Known>(_ value: Value, _ type: Known.Type) -> Known? {
    // `unsafeBitCast` is safe here because both types are the same.
    Value.self == type ? unsafeBitCast(value, to: type) : nil
}
