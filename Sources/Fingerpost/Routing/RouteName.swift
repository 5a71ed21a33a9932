/// What a route is called in errors and logs, and what its enum case holds.
package enum RouteName {
    /// The name of an enum case with its labels but not its values, as Swift names functions: `GitHub.repos(owner:page:)`.
    ///
    /// Values stay out: they can be secrets (`login(email:password:)`), and without them every call of an endpoint has
    /// the same name.
    static func name(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        let type = String(describing: mirror.subjectType)
        guard mirror.displayStyle == .enum else { return type }
        guard let payload = mirror.children.first else { return "\(type).\(value)" }
        let values = Mirror(reflecting: payload.value)
        let labels =
            values.displayStyle == .tuple
            ? values.children.map { label in label.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? "_" }
            : ["_"]
        return "\(type).\(payload.label ?? "?")(\(labels.map { $0 + ":" }.joined()))"
    }

    /// The associated values of an enum case, each with its label, or its position where it has none.
    package static func arguments(of value: any RouteConvertible) -> [(label: String, value: Any)] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum, let payload = mirror.children.first else {
            // The properties of an endpoint that is a struct.
            return mirror.children.compactMap { child in child.label.map { ($0, child.value) } }
        }
        let values = Mirror(reflecting: payload.value)
        guard values.displayStyle == .tuple else { return [("0", payload.value)] }
        return values.children.enumerated().map { position, child in
            let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
            return (label ?? "\(position)", child.value)
        }
    }
}
