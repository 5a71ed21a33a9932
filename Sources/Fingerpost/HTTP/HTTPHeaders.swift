import FingerpostFiles

/// An ordered list of header fields (RFC 9110 section 5). A name can have any number of values, and names are compared
/// without regard to letter case.
///
/// ```swift
/// var headers: HTTPHeaders = [.accept: "application/json", "X-Trace": "7"]
/// headers[.accept] = "text/plain"        // replaces
/// headers.add(.cookie, "a=1")            // adds another value
/// ```
public struct HTTPHeaders: Sendable {
    /// One field line (RFC 9110 section 5.2).
    public struct Field: Sendable, Equatable {
        /// The name, in its original spelling.
        public var name: Name
        /// The value, verbatim.
        public var value: String

        /// Creates a field. The name and the value are checked when a request is built.
        public init(_ name: Name, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields are stored as tuples so that the array from a dictionary literal can be used without copying it.
    private(set) var fields: [(Name, String)] = []
    /// Fields that get their values from environment keys, and names that a merge removes from other headers. When a
    /// request is built, each field with a key becomes an element of ``fields``.
    private(set) var keys: [EnvironmentField] = []

    /// A name, and the environment key for the value. If the key is nil, the name is removed.
    struct EnvironmentField: Sendable, Equatable {
        let name: Name
        let key: String?
    }

    /// Creates an empty list.
    public init() {}

    /// Creates headers from fields, in order.
    public init(_ fields: some Sequence<Field>) { self.fields = fields.map { ($0.name, $0.value) } }

    /// The combined value of a name; nil if the name is absent. Several values are joined with `, ` (RFC 9110 section
    /// 5.3), or with `; ` if the name is `Cookie`. Setting a value replaces all values of the name. Setting nil removes
    /// the name.
    ///
    /// Each access searches all fields. To set very many names in a loop, use ``add(_:_:)``.
    ///
    /// Use ``values(for:)`` for headers whose values contain commas, such as `Set-Cookie`.
    public subscript(name: Name) -> String? {
        get {
            let values = values(for: name)
            return values.count < 2 ? values.first : values.joined(separator: name.separator)
        }
        set {
            let first = fields.firstIndex { $0.0 == name }
            // A name that is already in the list keeps its spelling and its position.
            let (spelling, position) = first.map { (fields[$0].0, $0) } ?? (name, fields.count)
            if first != nil || !keys.isEmpty { removeAll { $0 == name } }
            if let newValue { fields.insert((spelling, newValue), at: position) }
        }
    }

    /// Removes the fields and the environment keys of the given names.
    @inline(never)
    private mutating func removeAll(where isRemoved: (Name) -> Bool) {
        if fields.contains(where: { isRemoved($0.0) }) { fields = fields.filter { !isRemoved($0.0) } }
        keys = keys.filter { !isRemoved($0.name) }
    }

    /// Every value of a name, in order.
    public func values(for name: Name) -> [String] { fields.compactMap { $0.0 == name ? $0.1 : nil } }

    /// True if the name has a value.
    package func contains(_ name: Name) -> Bool {
        fields.contains { $0.0 == name } || keys.contains { $0.name == name && $0.key != nil }
    }

    /// Returns true if a merge of these headers into other headers removes the name.
    func removes(_ name: Name) -> Bool { keys.contains { $0.name == name && $0.key == nil } }

    /// True if there are neither fields nor keys.
    var hasNoFieldsOrKeys: Bool { fields.isEmpty && keys.isEmpty }

    /// The combined values of all names. Each key is the first spelling of its name in the list. The dictionary has
    /// room for one more name, so that adding a name does not copy the dictionary.
    var combined: [String: String] {
        var combined = [String: String](minimumCapacity: fields.count + 1)
        var spellings = [Name: String]()
        let areFew = fields.count <= Self.few
        for (index, (name, value)) in fields.enumerated() {
            if let first = areFew ? fields[..<index].first(where: { $0.0 == name })?.0.rawValue : spellings[name] {
                combined[first]?.append(name.separator + value)
            } else {
                combined[name.rawValue] = value
                if !areFew { spellings[name] = name.rawValue }
            }
        }
        return combined
    }

    /// Up to this number of fields, it is faster to compare the names one by one than to hash them.
    private static let few = 16

    /// Adds a value and keeps the name's existing values. To replace the existing values, use the subscript.
    public mutating func add(_ name: Name, _ value: String) { fields.append((name, value)) }

    /// Adds a header with the value of an environment key. The value is looked up in the environment of the call when a
    /// request is built. The key can be a secret.
    ///
    /// - Parameters:
    ///   - name: the header's name.
    ///   - key: the key's dotted path. If the environment of a call does not have the key, the call fails with an
    ///     ``APIError`` of the kind `invalidRoute`.
    public mutating func add(_ name: Name, environment key: String) {
        keys.append(EnvironmentField(name: name, key: key))
    }

    /// Returns a copy without a name. If the copy is merged into other headers, the name is removed from those headers
    /// too. Because a router's headers are merged into the client's headers, a router that returns
    /// `HTTPHeaders().without("X-Organization")` removes this header of the client.
    public func without(_ name: Name) -> HTTPHeaders {
        var rest = self
        rest[name] = nil
        rest.keys.append(EnvironmentField(name: name, key: nil))
        return rest
    }

    /// Adds all fields of `other`. The values in `other` replace the existing values of the same names.
    public mutating func merge(_ other: HTTPHeaders) {
        if other.hasNoFieldsOrKeys { return }
        if hasNoFieldsOrKeys {
            self = other
            return
        }
        if fields.count <= Self.few || other.fields.count <= Self.few {
            removeAll { other.contains($0) || other.removes($0) }
        } else {
            let names = Set(other.fields.map(\.0) + other.keys.map(\.name))
            removeAll { names.contains($0) }
        }
        keys += other.keys
        fields.append(contentsOf: other.fields)
    }

    /// Returns a copy with all fields of `other`. The values in `other` replace the existing values of the same names.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        var merged = self
        merged.merge(other)
        return merged
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position, in insertion order.
    public subscript(position: Int) -> Field { Field(fields[position].0, fields[position].1) }
}

extension HTTPHeaders: Equatable {
    /// True if both lists contain the same fields in the same order.
    public static func == (a: HTTPHeaders, b: HTTPHeaders) -> Bool { a.elementsEqual(b) && a.keys == b.keys }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from a dictionary literal. A name that occurs twice gets two values.
    public init(dictionaryLiteral elements: (Name, String)...) { fields = elements }
}

extension HTTPHeaders {
    /// The values of several `Set-Cookie` fields that Foundation joined into one text, separated by commas.
    ///
    /// A comma separates two cookies if a cookie's name and `=` follow it (RFC 6265 section 4.1.1: a name is a token,
    /// and values contain no commas). A comma in a date, such as `Expires=Wed, 09 Jun 2021 10:18:14 GMT`, is part of
    /// the cookie.
    static func setCookieValues(in text: String) -> [String] {
        var values: [String] = []
        var start = text.startIndex
        var rest = text[...]
        while let (before, after) = rest.cut(at: ",") {
            rest = after
            let name = Substring(after.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
                .prefix(before: " \t=;,\"")
            guard !name.isEmpty, text.utf8[name.endIndex...].first == UInt8(ascii: "=") else { continue }
            if start < before.endIndex { values.append(String(text[start..<before.endIndex])) }
            start = name.startIndex
        }
        if start < text.endIndex { values.append(String(text[start...])) }
        return values
    }
}

extension String {
    /// This text without the spaces and tabs around a field's value (RFC 9110 section 5.5).
    var withoutPadding: String {
        guard let first = utf8.first, let last = utf8.last, first <= 0x20 || last <= 0x20 else { return self }
        return trimmingCharacters(in: [" ", "\t"])
    }
}
