/// Anything that ``APIClient`` can send: it turns into one ``Route``.
///
/// Conform an enum to it to describe each endpoint in one place, with one switch:
///
/// ```swift
/// enum GitHub: RouteConvertible {
///     case user(login: String)
///     case createRepo(name: String)
///
///     var route: Route {
///         switch self {
///         case .user(let login): .get("users/\(login)").mock("user")
///         case .createRepo(let name): .post("user/repos").parameters(["name": name]).mock("repo-created")
///         }
///     }
/// }
/// ```
///
/// Use ``Routable`` instead to describe the endpoints by one property each (`method`, `path`, `parameters`, …).
public protocol RouteConvertible: Sendable {
    /// The route of this value.
    var route: Route { get }
}
