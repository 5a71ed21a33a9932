#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

// The fluent form. Each call returns a changed copy, so their order does not matter.
extension Route {
    /// A GET route.
    public static func get(_ path: RoutePath) -> Route { Route(method: .get, path: path) }
    /// A HEAD route.
    public static func head(_ path: RoutePath) -> Route { Route(method: .head, path: path) }
    /// A POST route.
    public static func post(_ path: RoutePath) -> Route { Route(method: .post, path: path) }
    /// A PUT route.
    public static func put(_ path: RoutePath) -> Route { Route(method: .put, path: path) }
    /// A PATCH route.
    public static func patch(_ path: RoutePath) -> Route { Route(method: .patch, path: path) }
    /// A DELETE route.
    public static func delete(_ path: RoutePath) -> Route { Route(method: .delete, path: path) }

    /// An OPTIONS route.
    public static func options(_ path: RoutePath) -> Route { Route(method: .options, path: path) }
    /// A TRACE route.
    public static func trace(_ path: RoutePath) -> Route { Route(method: .trace, path: path) }
    /// A CONNECT route.
    public static func connect(_ path: RoutePath) -> Route { Route(method: .connect, path: path) }

    /// Leads to a host of its own instead of the base URL, by https unless ``scheme(_:)`` says otherwise.
    public func host(_ host: String) -> Route {
        with { $0.host = host }
    }

    /// Sets the scheme of a route with a host: `http` or `https`.
    public func scheme(_ scheme: String) -> Route {
        with { $0.scheme = scheme }
    }

    /// Sets the port of a route with a host.
    public func port(_ port: Int) -> Route {
        with { $0.port = port }
    }

    /// Sets the method.
    public func method(_ method: HTTPMethod) -> Route {
        with { $0.method = method }
    }

    /// Adds segments to the path, each escaped as an interpolated value is: `base.appending("people", id)`.
    public func appending(_ segments: String...) -> Route {
        with { $0.path = $0.path.appending(segments) }
    }

    /// Adds query items, whatever the method; those without a value are left out.
    public func query(_ items: [QueryItem]) -> Route {
        with { route in
            for item in items { route.query.append(item.name, item.value) }
        }
    }

    /// Adds one query item, whatever the method; nil adds nothing.
    public func query(_ name: String, _ value: (any Encodable & Sendable)?) -> Route {
        with { $0.query.append(name, value) }
    }

    /// Adds query items, whatever the method.
    public func query(_ parameters: Parameters) -> Route {
        with { $0.query.append(contentsOf: parameters) }
    }

    /// Adds parameters, placed by the method unless ``encoding(_:)`` says otherwise.
    public func parameters(_ parameters: Parameters) -> Route {
        with { route in
            route.parameters =
                route.parameters.map { existing in
                    var joined = existing
                    joined.append(contentsOf: parameters)
                    return joined
                } ?? parameters
        }
    }

    /// Says where the parameters go.
    public func encoding(_ encoding: ParameterEncoding) -> Route {
        with { $0.encoding = encoding }
    }

    /// Says how values are written in the query.
    public func dialect(_ dialect: QueryDialect) -> Route {
        with { $0.dialect = dialect }
    }

    /// Adds a header value, beside those the name may have already.
    public func header(_ name: HTTPHeaders.Name, _ value: String) -> Route {
        with { $0.headers.add(name, value) }
    }

    /// Sends one encodable value as a JSON body, by the client's encoder.
    public func json(_ value: some Encodable & Sendable) -> Route {
        with { $0.body = .json(value) }
    }

    /// Sends a body as it is.
    public func body(_ body: RequestBody) -> Route {
        with { $0.body = body }
    }

    /// Sends a form with files.
    public func multipart(_ form: MultipartForm) -> Route {
        with { $0.body = .multipart(form) }
    }

    /// Says whether the client's ``Authorization`` is sent.
    public func authorization(_ policy: AuthorizationPolicy) -> Route {
        with { $0.authorization = policy }
    }

    /// Gives the route a name of its own for errors and logs.
    public func named(_ name: String) -> Route {
        with { $0.label = name }
    }

    /// Has the last word on the request: see ``configure-swift.property``.
    public func configure(_ change: @escaping @Sendable (inout URLRequest) throws -> Void) -> Route {
        with { route in
            guard let first = route.configure else {
                route.configure = change
                return
            }
            route.configure = { request in
                try first(&request)
                try change(&request)
            }
        }
    }

    /// Names the mock that answers under a sealed environment.
    public func mock(_ name: MockName) -> Route {
        with { $0.mock = name }
    }

    /// Sets the time for the whole call.
    public func timeout(_ timeout: Duration) -> Route {
        with { $0.timeout = timeout }
    }

    /// Says what the route answers with, for tools that check mocks against models.
    public func responds(with type: (some Decodable & Sendable).Type) -> Route {
        with { $0.responseType = type }
    }

    private func with(_ change: (inout Route) -> Void) -> Route {
        var copy = self
        change(&copy)
        return copy
    }
}
