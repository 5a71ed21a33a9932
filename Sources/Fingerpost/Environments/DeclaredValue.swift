import FingerpostFiles
public import Foundation

/// The types that the keys of environment files have in generated code: `Bool`, `Int`, `Double`, `String`, `URL`, `Date`, `Data`,
/// lists of one of these, ``Secret`` of any of them, and optionals. It is not meant for other types: decode those with
/// ``Environment/value(_:as:)``.
public protocol DeclaredValue: Sendable {
    /// Reads a value.
    ///
    /// - Parameters:
    ///   - place: where it is among the values.
    ///   - values: those of the environment.
    /// - Returns: nil when the value is of another type.
    static func declared(at place: Int, in values: DeclaredValues) -> Self?

    /// What is read where the environment does not have the key; nil where it must.
    static var undeclared: Self? { get }
}

/// The types of ``DeclaredValue`` that lists can hold.
public protocol DeclaredElement: DeclaredValue {
    /// Reads a list.
    ///
    /// - Parameters:
    ///   - place: where it is among the values.
    ///   - values: those of the environment.
    /// - Returns: nil when the value is no list, or an element is of another type.
    static func declaredList(at place: Int, in values: DeclaredValues) -> [Self]?
}

extension DeclaredValue {
    @inlinable public static var undeclared: Self? { nil }
}

extension Bool: DeclaredElement {
    public static func declared(at place: Int, in values: DeclaredValues) -> Bool? {
        values[place].value.flag
    }

    public static func declaredList(at place: Int, in values: DeclaredValues) -> [Bool]? {
        if case .flags(let list) = values[place].list { list } else { values[place].elements(\.flag) }
    }
}

extension Int: DeclaredElement {
    public static func declared(at place: Int, in values: DeclaredValues) -> Int? {
        values[place].value.integer
    }

    public static func declaredList(at place: Int, in values: DeclaredValues) -> [Int]? {
        if case .integers(let list) = values[place].list { list } else { values[place].elements(\.integer) }
    }
}

extension Double: DeclaredElement {
    public static func declared(at place: Int, in values: DeclaredValues) -> Double? {
        values[place].value.real
    }

    public static func declaredList(at place: Int, in values: DeclaredValues) -> [Double]? {
        if case .reals(let list) = values[place].list { list } else { values[place].elements(\.real) }
    }
}

extension String: DeclaredElement {
    public static func declared(at place: Int, in values: DeclaredValues) -> String? {
        values[place].value.text
    }

    public static func declaredList(at place: Int, in values: DeclaredValues) -> [String]? {
        if case .texts(let list) = values[place].list { list } else { values[place].elements(\.text) }
    }
}

extension URL: DeclaredElement {
    public static func declared(at place: Int, in values: DeclaredValues) -> URL? {
        values[place].url
    }

    public static func declaredList(at place: Int, in values: DeclaredValues) -> [URL]? {
        if case .urls(let list) = values[place].list { list } else { values[place].elements(\.url) }
    }
}

extension Date: DeclaredElement {
    public static func declared(at place: Int, in values: DeclaredValues) -> Date? {
        values[place].value.date
    }

    public static func declaredList(at place: Int, in values: DeclaredValues) -> [Date]? {
        values[place].elements(\.date)
    }
}

extension Data: DeclaredElement {
    public static func declared(at place: Int, in values: DeclaredValues) -> Data? {
        values[place].value.data
    }

    public static func declaredList(at place: Int, in values: DeclaredValues) -> [Data]? {
        values[place].elements(\.data)
    }
}

extension Array: DeclaredValue where Element: DeclaredElement {
    @inlinable public static func declared(at place: Int, in values: DeclaredValues) -> [Element]? {
        Element.declaredList(at: place, in: values)
    }
}

extension Optional: DeclaredValue where Wrapped: DeclaredValue {
    @inlinable public static func declared(at place: Int, in values: DeclaredValues) -> Wrapped?? {
        if values.isNull(at: place) { return undeclared }
        guard let value = Wrapped.declared(at: place, in: values) else { return nil }
        return .some(value)
    }

    @inlinable public static var undeclared: Wrapped?? { .some(nil) }
}

extension Secret: DeclaredValue where Value: DeclaredValue {
    @inlinable public static func declared(at place: Int, in values: DeclaredValues) -> Secret? {
        guard let key = values.secretKey(at: place), let value = Value.declared(at: place, in: values) else {
            return nil
        }
        return Secret(value, key: key)
    }
}
