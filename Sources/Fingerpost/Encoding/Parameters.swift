import FingerpostFiles

/// Ordered names and values, for a query or a body.
///
/// ```swift
/// let paging: Parameters = ["page": page, "per_page": 100, "sort": sort]  // a nil sort is left out
/// let nested: Parameters = ["sort": ["by": field, "top": 5] as Parameters]  // without `as`, a dictionary
/// let fields = Parameters(filter)  // the fields of an Encodable
/// ```
///
/// Values are any `Encodable & Sendable`: strings, numbers, booleans, dates, arrays, dictionaries, and your own types.
/// Names may repeat in queries and forms; in a JSON body a duplicate name causes an
/// ``APIError/Kind-swift.enum/encoding`` error.
///
/// In a JSON body, the values are encoded with ``ClientConfiguration/encoder``, and all of the encoder's strategies
/// apply to them. The names of parameters are sent verbatim, whether the parameters are at the top level, nested, or
/// passed to ``Route/json(_:)``. At the top level, the names keep their order, regardless of the encoder's output
/// formatting. The fields of a value passed to ``init(_:)`` come in the order in which the encoder writes them; the
/// default encoder sorts the fields by name. In queries and forms, the fields of such a value come in the order in
/// which the value encodes them. The encoder's key strategy applies to the names of fields, both inside a parameter's
/// value and in a value passed to ``init(_:)``. As always with `JSONEncoder`, the strategy does not apply to the keys
/// of dictionaries.
///
/// Queries and forms do not use the encoder. In queries and forms, field names come from `CodingKeys`, and
/// ``QueryDialect`` sets the format of dates, booleans and arrays. `Data` is written as Base64. A number that is not
/// finite causes an ``APIError/Kind-swift.enum/encoding`` error.
public struct Parameters: Sendable {
    /// A name and its value; nil values are left out.
    ///
    /// The tuple has no labels so that the array from a dictionary literal can be used without copying it. Copying the
    /// array would take longer than writing most parameters.
    typealias Element = (String, (any Encodable & Sendable)?)

    /// Wraps a value whose fields all become parameters. The name of the element that contains the wrapper is ignored.
    struct Fields: Encodable, Sendable {
        let value: any Encodable & Sendable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private(set) var elements: [Element] = []
    /// The positions of each name. The positions are only computed when a long list is changed by name, because a
    /// search in a short list is faster than hashing names.
    private var places: [ByteName: [Int]] = [:]
    private static let short = 16

    /// Creates an empty list.
    public init() {}

    /// Creates parameters from the fields of one value, such as a struct or a dictionary. The value is encoded when the
    /// request is built, and must encode as a keyed container.
    public init(_ fields: some Encodable & Sendable) { elements = [("", Fields(value: fields))] }

    /// True if every value is nil, so that nothing is sent.
    public var isEmpty: Bool { elements.allSatisfy { $0.1?.isAbsent ?? true } }

    /// Appends a name and its value. A nil value appends nothing.
    public mutating func append(_ name: String, _ value: (any Encodable & Sendable)?) {
        if let value { append((name, value)) }
    }

    private mutating func append(_ element: Element) {
        if !places.isEmpty, !(element.1 is Fields) {
            places[ByteName(element.0), default: []].append(elements.count)
        }
        elements.append(element)
    }

    /// The last value of a name; nil if the name has no value. A new value replaces all values of the name, at the
    /// position of the first value. Setting nil removes all values of the name. The fields of a value passed to
    /// ``init(_:)`` are not searched.
    public subscript(name: String) -> (any Encodable & Sendable)? {
        get { places(of: name).last { elements[$0].1?.isAbsent == false }.flatMap { elements[$0].1 } }
        set {
            if places.isEmpty, elements.count > Self.short {
                for (place, element) in elements.enumerated() where !(element.1 is Fields) {
                    places[ByteName(element.0), default: []].append(place)
                }
            }
            let same = places(of: name)
            guard let first = same.first else { return append(name, newValue) }
            // The elements stay in the list with the value nil, so that the positions of the other names do not change.
            for place in same { elements[place].1 = place == first ? newValue : nil }
            if !places.isEmpty { places[ByteName(name)] = [first] }
        }
    }

    /// Returns true if a parameter has the name, even if its value is nil. The fields of a value are not searched.
    package func has(_ name: String) -> Bool { !places(of: name).isEmpty }

    /// One list for each value that was passed to ``init(_:)``. The list's parameters are the fields of that value.
    package var unnamed: [Parameters] { elements.compactMap { ($0.1 as? Fields).map { Parameters($0.value) } } }

    @inline(never)
    private func places(of name: String) -> [Int] {
        if !places.isEmpty { return places[ByteName(name)] ?? [] }
        return elements.indices.filter { !(elements[$0].1 is Fields) && elements[$0].0.isSame(as: name) }
    }

    /// Appends all parameters of another list.
    public mutating func append(contentsOf other: Parameters) {
        if places.isEmpty { return elements.append(contentsOf: other.elements) }
        for element in other.elements { append(element) }
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters from a dictionary literal, in the literal's order. Nil values are left out.
    public init(dictionaryLiteral pairs: (String, (any Encodable & Sendable)?)...) { elements = pairs }
}

extension Parameters: CustomStringConvertible, CustomReflectable {
    /// The names. The values are left out because they can be secret.
    public var description: String { "Parameters(\(shownNames.joined(separator: ", ")))" }

    /// The names. The values are left out because they can be secret.
    public var customMirror: Mirror { Mirror(self, children: ["names": shownNames], displayStyle: .struct) }

    private var shownNames: [String] {
        elements.compactMap { name, value in value.map { $0 is Fields ? "the fields of a value" : name } }
    }
}

extension Parameters: Encodable {
    /// A value of any type. The encoder applies its own rules for the type.
    private struct Member: Encodable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    /// True if the list contains the fields of a value and other parameters.
    var isMixed: Bool { elements.count > 1 && elements.contains { $0.1 is Fields } }

    /// Encodes the parameters as one object, so that parameters can be nested.
    public func encode(to encoder: any Encoder) throws {
        let elements = elements.filter { $0.1?.isAbsent == false }
        // If `Fields` is the only element, the value in `Fields` requests its own container from the encoder. A second
        // container must not be requested from the same encoder, so return before the request below.
        if elements.count == 1, let fields = elements[0].1 as? Fields {
            try fields.encode(to: encoder)
            return
        }
        // Encode a dictionary, because an encoder does not change the keys of a dictionary. `QueryEncoder` needs no
        // dictionary, because it changes no names and keeps their order.
        if !isMixed, !(encoder is QueryEncoder) {
            var container = encoder.singleValueContainer()
            let pairs = elements.compactMap { element in element.1.map { (element.0, Member(value: $0)) } }
            return try container.encode(Dictionary(pairs) { $1 })
        }
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        for case (let name, let value?) in elements {
            if let fields = value as? Fields {
                try fields.encode(to: encoder)
            } else {
                try container.encode(value, forKey: AnyCodingKey(stringValue: name))
            }
        }
    }
}

/// Decides where a route's parameters are written: to the query or to the body, and in which format.
///
/// If a route's encoding is nil, the default applies: the query for GET, HEAD and DELETE, and a JSON body for every
/// other method.
public enum ParameterEncoding: Sendable, Hashable {
    /// In the URL's query, in the format of the ``QueryDialect``.
    case query
    /// As one JSON object in the body, with the content type `application/json`.
    case json
    /// As a body of the content type `application/x-www-form-urlencoded`, in the format of the ``QueryDialect`` with
    /// `+` for a space, as in HTML forms (WHATWG URL, section 5.2).
    case form
}
