/// Header fields (RFC 9110 section 5): ordered, with several values to a name, and names that ignore letter case.
///
/// ```swift
/// var headers: HTTPHeaders = [.accept: "application/json", "X-Trace": "7"]
/// headers[.accept] = "text/plain"        // replaces
/// headers.add(.cookie, "a=1")            // adds a further value
/// ```
public struct HTTPHeaders: Sendable {
    /// One field line.
    public struct Field: Sendable, Hashable {
        public var name: Name
        public var value: String

        public init(_ name: Name, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// In the shape of a dictionary literal, whose array so becomes this one without being copied.
    private var fields: [(Name, String)]

    /// No headers.
    public init() {
        fields = []
    }

    public init(_ fields: some Sequence<Field>) {
        self.fields = fields.map { ($0.name, $0.value) }
    }

    /// The combined value of a name: several are joined with `, ` (RFC 9110 section 5.2), those of `Cookie` with `; `.
    /// Nil when the name is absent. Setting replaces every value of the name; setting nil removes it.
    ///
    /// Use ``values(for:)`` where the values themselves hold commas (`Set-Cookie`).
    public subscript(name: Name) -> String? {
        get {
            let values = values(for: name)
            return values.count < 2 ? values.first : values.joined(separator: name.separator)
        }
        set {
            guard let newValue else {
                fields.removeAll { $0.0 == name }
                return
            }
            guard let first = fields.firstIndex(where: { $0.0 == name }) else {
                fields.append((name, newValue))
                return
            }
            fields[first].1 = newValue
            fields[(first + 1)...].removeAll { $0.0 == name }
        }
    }

    /// Every value of a name, in order.
    public func values(for name: Name) -> [String] {
        fields.compactMap { $0.0 == name ? $0.1 : nil }
    }

    /// True when the name has a value.
    func contains(_ name: Name) -> Bool {
        fields.contains { $0.0 == name }
    }

    /// The combined value of every name, under its first spelling, and room for one name more.
    var combined: [String: String] {
        var combined = [String: String](minimumCapacity: fields.count + 1)
        for (index, (name, value)) in fields.enumerated() {
            if let first = fields[..<index].firstIndex(where: { $0.0 == name }) {
                combined[fields[first].0.rawValue]?.append(name.separator + value)
            } else {
                combined[name.rawValue] = value
            }
        }
        return combined
    }

    /// Adds a value, beside those the name may have already.
    public mutating func add(_ name: Name, _ value: String) {
        fields.append((name, value))
    }

    /// Sets every name of `other`, replacing the values that the same names have here.
    public mutating func merge(_ other: HTTPHeaders) {
        if other.fields.isEmpty { return }
        if fields.isEmpty {
            fields = other.fields
            return
        }
        fields.removeAll { field in other.fields.contains { $0.0 == field.0 } }
        fields.append(contentsOf: other.fields)
    }

    /// The headers with every name of `other` set to its values.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        var merged = self
        merged.merge(other)
        return merged
    }
}

extension HTTPHeaders: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> Field { Field(fields[position].0, fields[position].1) }
}

extension HTTPHeaders: Hashable {
    public static func == (a: HTTPHeaders, b: HTTPHeaders) -> Bool { a.elementsEqual(b) }

    public func hash(into hasher: inout Hasher) {
        for field in self { hasher.combine(field) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// A name that stands twice has two values.
    public init(dictionaryLiteral elements: (Name, String)...) {
        fields = elements
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// One `Name: value` a line; the values of headers that carry credentials are replaced by `<redacted>`.
    public var description: String {
        map { "\($0.name): \($0.name.isSensitive ? SensitiveName.placeholder : $0.value)" }.joined(separator: "\n")
    }
}

extension HTTPHeaders: CustomReflectable {
    /// The fields, credentials left out.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: map { ($0.name.rawValue, $0.name.isSensitive ? SensitiveName.placeholder : $0.value) },
            displayStyle: .struct)
    }
}
