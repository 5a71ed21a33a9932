/// A value that ``APIClient`` can send, because it converts to a ``Route``.
///
/// Conform an enum to describe all endpoints in one place, with one switch:
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
/// Use ``Routable`` instead to describe endpoints with one property per aspect (`method`, `path`, `parameters`, …), and
/// ``Endpoint`` for one type per endpoint with a typed response.
public protocol RouteConvertible: Sendable {
    /// The route that is sent for this value.
    var route: Route { get }
}
