/// Detects nil in a value whose static type is not optional. Generic code and nested optionals can put a nil into an
/// `any Encodable`, and a parameter that is nil must not be sent.
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
        // Most values have one of these types. A value of these types is never nil, so no cast is needed.
        if Self.self == String.self || Self.self == Int.self || Self.self == Bool.self { return false }
        return (self as? any AnyOptional)?.isAbsent ?? false
    }
}
