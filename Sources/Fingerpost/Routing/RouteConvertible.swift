public import Foundation

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
/// Do not write `GitHub.user(login: "octocat").route.header(…)`: the route that your own ``route`` returns does not
/// refer to its case, so the name and the mock of the case are lost. To change a route by assignment, start from
/// ``Route/init(of:)``. In the implementation of ``route``, call methods such as `header(_:_:)` on a route, never on
/// `self`: on `self`, they call ``route`` again.
///
/// To describe endpoints with one property per aspect (`method`, `path`, `parameters`, …), use ``Routable`` instead. To
/// describe each endpoint as a type with a typed response, use ``Endpoint``.
public protocol RouteConvertible: Sendable {
    /// The route that is sent for this value.
    var route: Route { get }
}

extension RouteConvertible {
    /// Builds the request for this value's route, with the default coders and only the route's own headers.
    ///
    /// Use the request to inspect what a route sends, or to send the route without ``APIClient``. ``APIClient`` adds
    /// its own headers, coders and timeout.
    ///
    /// - Parameter baseURL: the URL that a relative path is joined to, with exactly one slash in between. The base
    ///   URL's path and query are kept. Absolute paths need no base URL.
    /// - Throws: ``APIError``. The error's kind is `invalidRoute` if the route contains anything that HTTP does not
    ///   allow, and `encoding` if a value cannot be encoded.
    public func urlRequest(relativeTo baseURL: URL? = nil) throws(APIError) -> URLRequest {
        try urlRequest(relativeTo: baseURL, lookup: .environment(nil))
    }

    /// - Parameters:
    ///   - lookup: finds the values of the environment keys that the route names.
    ///   - dialect: how a client writes queries and forms.
    ///   - encoder: how a client writes JSON.
    package func urlRequest(
        relativeTo baseURL: URL?, lookup: KeyLookup, dialect: QueryDialect = .standard,
        encoder: JSONEncoder = .standard
    ) throws(APIError) -> URLRequest {
        do {
            return try RequestBuilder(
                base: BaseURL.Source(baseURL), dialect: dialect, encoder: encoder, lookup: lookup
            ).request(for: route)
        } catch {
            // The route's name and its credentials are computed only when there is an error to report.
            let route = Route.from(self)
            var error = error
            error.details.route = error.route ?? route.name
            throw error.redacted(by: CallSecrets(credentials: route.credentials))
        }
    }

    /// A shell command that sends this value's route with `curl`. The command contains a variable such as `$TOKEN` in
    /// place of each secret. The headers and credentials of a client are not part of the command. For a command with
    /// the headers of a call, see ``APIError/curl`` and ``LoggedCall/curl``.
    ///
    /// - Parameter baseURL: as in ``urlRequest(relativeTo:)``.
    /// - Throws: ``APIError``, as ``urlRequest(relativeTo:)`` does.
    public func curl(relativeTo baseURL: URL? = nil) throws(APIError) -> String {
        let request = try urlRequest(relativeTo: baseURL)
        return CurlCommand(request, CallSecrets(credentials: Redaction.credentials(of: request))).text
    }
}
