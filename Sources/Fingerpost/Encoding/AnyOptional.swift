/// An optional as a type that casts can find. A parameter that is nil is not sent. Generic code, or an optional inside
/// an optional, can put a nil into a non-optional existential.
protocol AnyOptional {
    /// The type that the optional wraps, without any further optionals.
    static var wrapped: Any.Type { get }

    var isAbsent: Bool { get }
}

extension Optional: AnyOptional {
    static var wrapped: Any.Type { (Wrapped.self as? any AnyOptional.Type)?.wrapped ?? Wrapped.self }

    var isAbsent: Bool {
        switch self {
        case nil: true
        case let value?: (value as? any AnyOptional)?.isAbsent ?? false
        }
    }
}

extension Encodable {
    @inline(__always)
    var isAbsent: Bool {
        // Most values have one of these types. A value of these types is not nil, so no cast is needed.
        if Self.self == String.self || Self.self == Int.self || Self.self == Bool.self { return false }
        return (self as? any AnyOptional)?.isAbsent ?? false
    }
}
