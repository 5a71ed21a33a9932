/// Finds a route's name for errors and logs, and the values inside the enum case or struct that describes the route.
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

    /// The names of the mock for a value that names none: `GitHub/user` and `user` for the case `GitHub.user(login:)`,
    /// and the type's name for a struct or class.
    ///
    /// - Returns: nil if the case's name cannot be read. This is so if an enum has a description or a mirror of its
    ///   own, or was compiled without reflection metadata.
    package static func mockNames(of value: any RouteConvertible) -> [MockName]? {
        if value is any CustomReflectable { return nil }
        let type = String(describing: Swift.type(of: value))
        // The parameters of a generic type are not part of the name.
        let folder = unquoted(String(type.prefix { $0 != "<" }))
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum else { return [MockName(rawValue: folder)] }
        if value is any CustomStringConvertible || value is any CustomDebugStringConvertible
            || value is any TextOutputStreamable
        {
            return nil
        }
        let name = mirror.children.first.map(\.label) ?? "\(value)"
        // Without metadata, Swift describes every case with the name of its type.
        guard let name, name != type else { return nil }
        return [MockName(rawValue: "\(folder)/\(unquoted(name))"), MockName(rawValue: unquoted(name))]
    }

    /// A name as it is written between backticks: for the name `user list`, Swift keeps the backticks and replaces the
    /// space with a no-break space.
    private static func unquoted(_ name: String) -> String {
        String(name.filter { $0 != "`" }.map { $0 == "\u{A0}" ? " " : $0 })
    }

    /// The associated values of an enum case, or the properties of a struct, each with its label. The label of an
    /// unlabelled value is its position.
    package static func arguments(of value: any RouteConvertible) -> [(label: String, value: Any)] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum, let payload = mirror.children.first else {
            // For an endpoint that is a struct, return its properties.
            return mirror.children.compactMap { child in child.label.map { ($0, child.value) } }
        }
        return values(in: payload.value).enumerated().map { ($1.label ?? "\($0)", $1.value) }
    }

    /// The associated values of an enum case, each with its label if it has one.
    private static func values(in payload: Any) -> [(label: String?, value: Any)] {
        let mirror = Mirror(reflecting: payload)
        guard mirror.displayStyle == .tuple else { return [(nil, payload)] }
        return mirror.children.map { child in (child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }, child.value) }
    }
}
