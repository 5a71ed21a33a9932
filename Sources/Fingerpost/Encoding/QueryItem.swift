/// A name and its value in a query. Use query items to build a list separately from a route; to add a single value to a
/// route, use ``Route/query(_:_:)``.
///
/// ```swift
/// let hairColor = QueryItem.named("haircolor")
/// let route = Route.get("people").query([hairColor("red"), QueryItem("page", 2)])
/// ```
public struct QueryItem: Sendable {
    /// The unescaped name.
    public let name: String
    /// The value; if it is nil, the item is left out of the query.
    public let value: (any Encodable & Sendable)?

    /// Creates an item. An item whose value is nil is left out of the query.
    public init(_ name: String, _ value: (any Encodable & Sendable)?) {
        self.name = name
        self.value = value
    }

    /// Returns a function that creates items with this name.
    public static func named(_ name: String) -> @Sendable ((any Encodable & Sendable)?) -> QueryItem {
        { QueryItem(name, $0) }
    }
}

extension QueryItem: CustomStringConvertible, CustomReflectable {
    /// The name. The value is left out because it can be secret.
    public var description: String { "QueryItem(\(name))" }

    /// The name. The value is left out because it can be secret.
    public var customMirror: Mirror { Mirror(self, children: ["name": name], displayStyle: .struct) }
}
