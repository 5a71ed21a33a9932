import FingerpostFiles
import Foundation

/// Writes `name=value&name=value` into a buffer of bytes.
struct QueryWriter {
    private(set) var bytes: [UInt8]
    private let dialect: QueryDialect
    /// `+` for a space, as in form bodies; else `%20`.
    private let plusForSpace: Bool
    private var needsSeparator: Bool

    /// - Parameters:
    ///   - bytes: what stands before the query, written on.
    ///   - needsSeparator: true when a query stands there already.
    init(_ bytes: [UInt8], dialect: QueryDialect, plusForSpace: Bool = false, needsSeparator: Bool = false) {
        self.bytes = bytes
        self.dialect = dialect
        self.plusForSpace = plusForSpace
        self.needsSeparator = needsSeparator
    }

    /// - Throws: `EncodingError` where a value has no form in a query.
    mutating func append(_ parameters: Parameters) throws {
        for case (let name, let value?) in parameters.elements {
            do {
                try append(name, value)
            } catch {
                // The fields of a value have names of their own.
                if value is Parameters.Fields { throw error }
                throw EncodingError(error, of: value, below: AnyCodingKey(name))
            }
        }
    }

    /// - Parameter name: nil for the fields of a whole value, which have names of their own.
    mutating func append(_ name: String?, _ value: some Encodable, codingPath: [any CodingKey] = []) throws {
        // The common types need no encoder.
        if let text = exactly(value, String.self) {
            try appendScalar(name, text, codingPath)
        } else if let number = exactly(value, Int.self) {
            // Nothing to escape.
            try appendName(name, of: number, codingPath)
            bytes.append(decimal: number)
        } else if let flag = exactly(value, Bool.self) {
            try appendScalar(name, self.text(of: flag), codingPath)
        } else if let number = exactly(value, Double.self) {
            try appendScalar(name, self.text(of: number, codingPath), codingPath)
        } else if let fields = exactly(value, Parameters.Fields.self) {
            try encode(fields.value, name: nil, codingPath: codingPath)
        } else {
            try encode(value, name: name, codingPath: codingPath)
        }
    }

    /// Through the value's own `encode(to:)`, but for the types that a query has a form of its own for.
    private mutating func encode(_ value: some Encodable, name: String?, codingPath: [any CodingKey]) throws {
        switch value {
        case let date as Date: try appendScalar(name, text(of: date), codingPath)
        case let data as Data: try appendScalar(name, data.base64EncodedString(), codingPath)
        case let url as URL: try appendScalar(name, url.absoluteString, codingPath)
        case let decimal as Decimal: try appendScalar(name, decimal.description, codingPath)
        default:
            let (count, separates) = (bytes.count, needsSeparator)
            do {
                switch (value as? any Unordered)?.members {
                case .pairs(let pairs)?:
                    for (key, value) in pairs {
                        try append(nested(name, key), value, codingPath: codingPath + [AnyCodingKey(key)])
                    }
                case .elements(let elements)?:
                    let sorted = try sorted(elements, name: name, codingPath: codingPath)
                    for (index, element) in sorted.enumerated() {
                        try append(self.element(name, index), element, codingPath: codingPath + [AnyCodingKey(index)])
                    }
                case nil:
                    try encodeItself(value, name: name, codingPath: codingPath)
                }
            } catch {
                // Whoever asked for this value may go on without it.
                bytes.removeSubrange(count...)
                needsSeparator = separates
                throw EncodingError(error, of: value, at: codingPath)
            }
        }
    }

    /// The elements of a set in the order of what is written of them.
    private func sorted(
        _ elements: [any Encodable], name: String?, codingPath: [any CodingKey]
    ) throws -> [any Encodable] {
        try elements.map { element in
            var writer = QueryWriter([], dialect: dialect)
            try writer.append(self.element(name, 0), element, codingPath: codingPath)
            return (element, writer.bytes)
        }
        .sorted { $0.1.lexicographicallyPrecedes($1.1) }
        .map(\.0)
    }

    private mutating func encodeItself(_ value: some Encodable, name: String?, codingPath: [any CodingKey]) throws {
        let encoder = QueryEncoder(name: name, writer: self, codingPath: codingPath)
        // The encoder's writer has the buffer to itself: with two owners every value of a list would copy the whole of it.
        bytes = []
        defer { self = encoder.target.writer }
        try value.encode(to: encoder)
    }

    /// The names and values of parameters, unescaped, for bodies that escape in another way.
    static func fields(of parameters: Parameters, dialect: QueryDialect) throws -> [(name: String, value: String)] {
        var writer = QueryWriter([], dialect: dialect)
        try writer.append(parameters)
        return writer.bytes.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self).removingPercentEncoding ?? "" }
            return (parts[0], parts[1])
        }
    }

    // MARK: Names

    /// The name of a field of a nested value.
    func nested(_ name: String?, _ key: String) -> String {
        guard let name else { return key }
        return switch dialect.nesting {
        case .brackets: "\(name)[\(key)]"
        case .dots: "\(name).\(key)"
        }
    }

    /// The name of an element of an array; nil where the array itself has no name.
    func element(_ name: String?, _ index: Int) -> String? {
        guard let name else { return nil }
        return switch dialect.arrays {
        case .repeated: name
        case .brackets: "\(name)[]"
        case .indexed: "\(name)[\(index)]"
        }
    }

    // MARK: Scalars

    func text(of flag: Bool) -> String {
        switch dialect.booleans {
        case .words: flag ? "true" : "false"
        case .numbers: flag ? "1" : "0"
        }
    }

    func text(of number: some BinaryFloatingPoint & CustomStringConvertible, _ path: [any CodingKey]) throws -> String {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: path, debugDescription: "\(number) has no form in a query"))
        }
        return number.description
    }

    func text(of date: Date) -> String {
        switch dialect.dates {
        case .iso8601: ISO8601Text.text(of: date)
        case .secondsSince1970:
            date.timeIntervalSince1970.rounded() == date.timeIntervalSince1970
                ? String(format: "%.0f", date.timeIntervalSince1970) : date.timeIntervalSince1970.description
        case .millisecondsSince1970: String(format: "%.0f", (date.timeIntervalSince1970 * 1000).rounded())
        }
    }

    @inline(__always)
    mutating func appendScalar(_ name: String?, _ text: String, _ codingPath: [any CodingKey]) throws {
        try appendName(name, of: text, codingPath)
        escape(text)
    }

    @inline(__always)
    private mutating func appendName(_ name: String?, of value: some Any, _ codingPath: [any CodingKey]) throws {
        guard let name else {
            throw EncodingError.invalidValue(
                value,
                .init(
                    codingPath: codingPath,
                    debugDescription: "a query needs names: encode a struct or a dictionary, or give the value a name"))
        }
        if needsSeparator { bytes.append(UInt8(ascii: "&")) }
        needsSeparator = true
        escape(name)
        bytes.append(UInt8(ascii: "="))
    }

    @inline(__always)
    private mutating func escape(_ text: String) {
        guard plusForSpace else {
            bytes.append(text, escapingAllBut: PercentEncoding.unreserved)
            return
        }
        for byte in text.utf8 {
            if PercentEncoding.unreserved.contains(byte) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(escaped: byte)
            }
        }
    }
}

/// What a query sorts, as it has no order of its own: equal values give equal requests.
private protocol Unordered {
    var members: UnorderedMembers? { get }
}

private enum UnorderedMembers {
    /// Sorted by their keys.
    case pairs([(String, any Encodable)])
    case elements([any Encodable])
}

extension Set: Unordered where Element: Encodable {
    fileprivate var members: UnorderedMembers? { .elements(Array(self)) }
}

extension Dictionary: Unordered where Key: Encodable, Value: Encodable {
    /// nil where the keys are no names.
    fileprivate var members: UnorderedMembers? {
        if Key.self == Int.self, let numbered = self as? [Int: Value] {
            return .pairs(numbered.sorted { $0.key < $1.key }.map { (String($0.key), $0.value) })
        }
        var pairs: [(String, any Encodable)] = []
        for (key, value) in self {
            guard let name = Self.name(of: key) else { return nil }
            pairs.append((name, value))
        }
        return .pairs(pairs.sorted { $0.0 < $1.0 })
    }

    /// Strings, integers, enums with either of them for a raw value, and what says itself how it is written.
    private static func name(of key: Key) -> String? {
        switch key {
        case let text as String: text
        case let key as any CodingKeyRepresentable: key.codingKey.stringValue
        case let key as any RawRepresentable:
            (key.rawValue as? String) ?? (key.rawValue as? any BinaryInteger).map { "\($0)" }
        case let number as any BinaryInteger: "\(number)"
        default: nil
        }
    }
}
