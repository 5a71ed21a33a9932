import Fingerpost

/// The name of a router's type. Routers in different namespaces can have the same name.
struct RouterName: Hashable, Sendable {
    /// The name of the type alone, after which the router's folder of mocks is named.
    let name: String
    /// The name with the module and the types around it.
    let qualifiedName: String
    private let type: ObjectIdentifier

    init(_ type: any RouteConvertible.Type) {
        name = String(describing: type)
        // Swift adds an address to the names of private types.
        // text-by-bytes: the name of a type is not a text of others
        qualifiedName = String(reflecting: type).replacing(/\(unknown context at [^)]*\)\./, with: "")
        self.type = ObjectIdentifier(type)
    }
}
