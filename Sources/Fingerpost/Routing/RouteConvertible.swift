/// A value that ``APIClient`` can send because the value converts to a ``Route``.
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
///         case .user(let login): .get("users/\(login)")
///         case .createRepo(let name): .post("user/repos").parameters(["name": name]).mock("repo-created")
///         }
///     }
/// }
/// ```
///
/// Change a case for one call with the methods that build routes. The changed route keeps the name and the mock of the
/// case:
///
/// ```swift
/// let user = try await client.send(GitHub.user(login: "octocat").header(.ifNoneMatch, tag), as: User.self)
/// ```
///
/// Leave out `.route` there: the route that your own ``route`` returns does not know the case that it was made from. To
/// change a route by assignment, start from ``Route/init(of:)``. Inside ``route`` itself, call these methods on a route
/// and never on `self`, because they ask for ``route``.
///
/// To describe endpoints with one property per aspect (`method`, `path`, `parameters`, …), use ``Routable`` instead. To
/// describe each endpoint as a type with a typed response, use ``Endpoint``.
public protocol RouteConvertible: Sendable {
    /// The route that is sent for this value.
    var route: Route { get }
}
