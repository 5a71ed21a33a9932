/// What a route is called in errors and logs.
enum RouteName {
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
}
