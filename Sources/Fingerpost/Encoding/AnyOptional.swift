/// A value that can be absent: an optional, whose nil is not sent. A nil can be inside a non-optional existential, when
/// it comes from generic code or from an optional of an optional.
protocol AnyOptional {
    /// The type that the optional wraps, however many optionals are around it.
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
        // Most values have one of these types. No cast is needed to see that such a value is not nil.
        if Self.self == String.self || Self.self == Int.self || Self.self == Bool.self { return false }
        return (self as? any AnyOptional)?.isAbsent ?? false
    }
}
