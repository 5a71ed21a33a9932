import FingerpostFiles

/// Named values in order, for a query or a body.
///
/// ```swift
/// ["page": page, "per_page": 100, "sort": sort]     // a nil sort is left out
/// Parameters(filter)                                // the fields of an Encodable
/// ```
///
/// Values are any `Encodable & Sendable`: strings, numbers, booleans, dates, arrays, dictionaries, your own types. A name
/// may stand more than once; in a JSON body it may not, which is an ``APIError/Kind-swift.enum/encoding`` error.
///
/// In a JSON body ``ClientConfiguration/encoder`` writes the values, by all its strategies. The names of the parameters are
/// sent as they stand here, and in this order, whatever its key strategy and output formatting; what has names of its own
/// goes by the key strategy: the fields of a value, those of `Parameters(filter)`, parameters inside parameters, and parameters
/// sent by ``Route/json(_:)``. As ever with `JSONEncoder`, the keys of a dictionary do not.
///
/// Queries and forms know nothing of the encoder. Fields are called what their `CodingKeys` say, ``QueryDialect`` says how dates,
/// booleans and lists are written, `Data` is Base64, and a number that is not finite is an
/// ``APIError/Kind-swift.enum/encoding`` error.
public struct Parameters: Sendable {
    /// A name and its value; nil is left out.
    ///
    /// Without labels, so that the array of a dictionary literal is kept as it is: copying it would take longer than
    /// writing most of its values.
    typealias Element = (String, (any Encodable & Sendable)?)

    /// Every field of a value, in place: what stands for them among the elements, whose name does not count then.
    struct Fields: Encodable, Sendable {
        let value: any Encodable & Sendable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private(set) var elements: [Element]

    /// No parameters.
    public init() {
        elements = []
    }

    /// The fields of one value, which must encode as a keyed container (a struct or a dictionary).
    public init(_ fields: some Encodable & Sendable) {
        elements = [("", Fields(value: fields))]
    }

    /// True when there is nothing to send.
    public var isEmpty: Bool { elements.allSatisfy { $0.1 == nil } }

    /// Adds a value; nil adds nothing.
    public mutating func append(_ name: String, _ value: (any Encodable & Sendable)?) {
        if let value { elements.append((name, value)) }
    }

    /// Adds every parameter of another list.
    public mutating func append(contentsOf other: Parameters) {
        elements.append(contentsOf: other.elements)
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral pairs: (String, (any Encodable & Sendable)?)...) {
        elements = pairs
    }
}

extension Parameters: Encodable {
    /// As one keyed container, so that parameters can stand inside parameters:
    /// `["filter": ["state": "open", "labels": ["a", "b"]] as Parameters]`.
    public func encode(to encoder: any Encoder) throws {
        // A value alone stands for itself, whether it has fields or not: an encoder may not be asked for two containers.
        if elements.count == 1, let fields = elements[0].1 as? Fields {
            try fields.encode(to: encoder)
            return
        }
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        for case (let name, let value?) in elements {
            if let fields = value as? Fields {
                try fields.encode(to: encoder)
            } else {
                try container.encode(value, forKey: AnyCodingKey(name))
            }
        }
    }
}
