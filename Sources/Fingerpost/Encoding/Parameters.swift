/// Named values in order, for a query or a body.
///
/// ```swift
/// ["page": page, "per_page": 100, "sort": sort]     // a nil sort is left out
/// Parameters(filter)                                // the fields of an Encodable
/// ```
///
/// Values are any `Encodable & Sendable`: strings, numbers, booleans, dates, arrays, dictionaries, your own types. A name
/// may stand more than once; in a JSON body it may not, which is an ``APIError/Kind-swift.enum/encoding`` error.
public struct Parameters: Sendable {
    /// One step in the order of the parameters.
    enum Element: Sendable {
        case value(name: String, any Encodable & Sendable)
        /// Every field of a value, in place.
        case fields(any Encodable & Sendable)
    }

    private(set) var elements: [Element]

    /// No parameters.
    public init() {
        elements = []
    }

    /// The fields of one value, which must encode as a keyed container (a struct or a dictionary).
    public init(_ fields: some Encodable & Sendable) {
        elements = [.fields(fields)]
    }

    /// True when there is nothing to send.
    public var isEmpty: Bool { elements.isEmpty }

    /// Adds a value; nil adds nothing.
    public mutating func append(_ name: String, _ value: (any Encodable & Sendable)?) {
        if let value { elements.append(.value(name: name, value)) }
    }

    /// Adds every parameter of another list.
    public mutating func append(contentsOf other: Parameters) {
        elements.append(contentsOf: other.elements)
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral pairs: (String, (any Encodable & Sendable)?)...) {
        elements = []
        elements.reserveCapacity(pairs.count)
        for (name, value) in pairs { append(name, value) }
    }
}

extension Parameters: Encodable {
    /// As one keyed container, so that parameters can stand inside parameters:
    /// `["filter": ["state": "open", "labels": ["a", "b"]] as Parameters]`.
    public func encode(to encoder: any Encoder) throws {
        // A value alone stands for itself, whether it has fields or not: an encoder may not be asked for two containers.
        if elements.count == 1, case .fields(let fields) = elements[0] {
            try fields.encode(to: encoder)
            return
        }
        var container = encoder.container(keyedBy: QueryKey.self)
        for element in elements {
            switch element {
            case .value(let name, let value): try container.encode(value, forKey: QueryKey(name))
            case .fields(let fields): try fields.encode(to: encoder)
            }
        }
    }
}
