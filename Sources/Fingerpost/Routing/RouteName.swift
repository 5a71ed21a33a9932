/// Finds a route's name for errors and logs.
package enum RouteName {
    /// The name of an enum case with its labels but without its values, as Swift names functions:
    /// `GitHub.repos(owner:page:)`.
    ///
    /// Values are left out because they can be secret (`login(email:password:)`), and because every call to an endpoint
    /// should have the same name.
    static func name(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        let type = String(describing: mirror.subjectType)
        guard mirror.displayStyle == .enum else { return type }
        guard let payload = mirror.children.first else { return "\(type).\(value)" }
        let labels = values(in: payload.value).map { ($0.label ?? "_") + ":" }
        return "\(type).\(payload.label ?? "?")(\(labels.joined()))"
    }

    /// The associated values of an enum case, with their labels.
    package static func values(in payload: Any) -> [(label: String?, value: Any)] {
        let mirror = Mirror(reflecting: payload)
        guard mirror.displayStyle == .tuple else { return [(nil, payload)] }
        return mirror.children.map { child in (child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }, child.value) }
    }
}
