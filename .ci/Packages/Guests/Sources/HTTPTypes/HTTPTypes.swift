// The signatures of swift-http-types.

public struct HTTPField: Sendable {
    public struct Name: Sendable, Hashable {
        public let rawName: String
        public var canonicalName: String { rawName.lowercased() }

        public init?(_ name: String) { rawName = name }

        public static var contentType: Self { .init("Content-Type")! }
        public static var contentLength: Self { .init("Content-Length")! }
    }
    public var name: Name
    public var value: String

    public init(name: Name, value: String) { (self.name, self.value) = (name, value) }
}

public struct HTTPFields: Sendable, RandomAccessCollection {
    private var fields: [HTTPField] = []

    public init() {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { fields.count }
    public subscript(index: Int) -> HTTPField { fields[index] }
    public mutating func append(_ field: HTTPField) { fields.append(field) }

    public subscript(name: HTTPField.Name) -> String? {
        get { fields.first { $0.name.canonicalName == name.canonicalName }?.value }
        set {
            fields.removeAll { $0.name.canonicalName == name.canonicalName }
            if let newValue { fields.append(HTTPField(name: name, value: newValue)) }
        }
    }
}

public struct HTTPRequest: Sendable {
    public struct Method: Sendable {
        public let rawValue: String
        public static var get: Self { .init(rawValue: "GET") }
        public static var post: Self { .init(rawValue: "POST") }
    }
    public var method: Method
    public var path: String?
    public var headerFields = HTTPFields()

    public init(method: Method, scheme: String?, authority: String?, path: String?) {
        (self.method, self.path) = (method, path)
    }
}

public struct HTTPResponse: Sendable {
    public struct Status: Sendable {
        public let code: Int

        public init(code: Int, reasonPhrase: String = "") { self.code = code }
    }
    public var status: Status
    public var headerFields: HTTPFields

    public init(status: Status, headerFields: HTTPFields = .init()) {
        (self.status, self.headerFields) = (status, headerFields)
    }
}
