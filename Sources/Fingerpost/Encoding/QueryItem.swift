/// One name and value of a query, for lists of them that are made elsewhere.
///
/// ```swift
/// let hairColor = QueryItem.named("haircolor")
/// let route = Route.get("people").query([hairColor("red"), QueryItem("page", 2)])
/// ```
public struct QueryItem: Sendable {
    public let name: String
    /// nil leaves the item out.
    public let value: (any Encodable & Sendable)?

    public init(_ name: String, _ value: (any Encodable & Sendable)?) {
        self.name = name
        self.value = value
    }

    /// A function that makes items of one name.
    public static func named(_ name: String) -> @Sendable ((any Encodable & Sendable)?) -> QueryItem {
        { QueryItem(name, $0) }
    }
}
