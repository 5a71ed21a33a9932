public import Foundation

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

    /// A GET route to an absolute URL, such as the address in a response of the server.
    public static func get(_ url: URL) -> Route { .get(RoutePath(url)) }
    /// A HEAD route to an absolute URL.
    public static func head(_ url: URL) -> Route { .head(RoutePath(url)) }
    /// A POST route to an absolute URL.
    public static func post(_ url: URL) -> Route { .post(RoutePath(url)) }
    /// A PUT route to an absolute URL, such as a signed address for an upload.
    public static func put(_ url: URL) -> Route { .put(RoutePath(url)) }
    /// A PATCH route to an absolute URL.
    public static func patch(_ url: URL) -> Route { .patch(RoutePath(url)) }
    /// A DELETE route to an absolute URL.
    public static func delete(_ url: URL) -> Route { .delete(RoutePath(url)) }
}

// The methods for building a route fluently: each call returns a changed copy of the route. A copy takes time in
// proportion to the route's size, so a loop should not build a route fluently.
//
// The methods extend every router and not only `Route`, because a route does not know which enum case created it.
// `Tasks.list.header(…)` keeps the name and the mock of the enum case, but `Tasks.list.route.header(…)` loses both.
extension RouteConvertible {
    /// Sends the route to this host over https instead of the base URL's host. For another scheme or a port, write an
    /// absolute URL as the path.
    public func host(_ host: String) -> Route { with { $0.host = host } }

    /// Sets the method.
    public func method(_ method: HTTPMethod) -> Route { with { $0.method = method } }

    /// Adds segments to the path. Each segment is escaped like an interpolated value: `base.appending("people", id)`.
    public func appending(_ segments: String...) -> Route { with { $0.path = $0.path.appending(segments) } }

    /// Adds one query item, whatever the request method is; a nil value adds nothing.
    ///
    /// Each call of `query(_:_:)` copies the route's items. To add very many items in a loop, append them to
    /// ``Route/query-swift.property``:
    ///
    /// ```swift
    /// let route = Route { route in
    ///     for id in ids { route.query.append("id", id) }
    /// }
    /// ```
    public func query(_ name: String, _ value: (any Encodable & Sendable)?) -> Route {
        with { $0.query.append(name, value) }
    }

    /// Adds query items, whatever the request method is. For values that some methods send in the body, use
    /// ``parameters(_:)`` instead.
    public func query(_ parameters: Parameters) -> Route { with { $0.query.append(contentsOf: parameters) } }

    /// Adds parameters; nil adds nothing. The method decides where the parameters are sent, unless ``encoding(_:)`` is
    /// set. In a JSON body, empty parameters are sent as `{}`; a route without parameters has no body. Each call of
    /// `parameters(_:)` copies the route's parameters. In a loop, append to ``Parameters``, and call this method once
    /// after the loop.
    public func parameters(_ parameters: Parameters?) -> Route {
        with { route in
            guard let parameters else { return }
            route.parameters = route.parameters ?? [:]
            route.parameters?.append(contentsOf: parameters)
        }
    }

    /// Sets where the parameters are sent, instead of the method's default.
    public func encoding(_ encoding: ParameterEncoding) -> Route { with { $0.encoding = encoding } }

    /// Sets how values are written in the query and in forms, instead of the client's dialect.
    public func dialect(_ dialect: QueryDialect) -> Route { with { $0.dialect = dialect } }

    /// Adds a header with the value that the key has in the call's environment: see
    /// ``HTTPHeaders/add(_:environment:)``.
    public func header(_ name: HTTPHeaders.Name, environment key: String) -> Route {
        with { $0.headers.add(name, environment: key) }
    }

    /// Adds a header value; existing values for the same name are kept, and nil adds nothing. To add very many headers
    /// in a loop, use ``HTTPHeaders/add(_:_:)`` of ``Route/headers``, because each call of `header(_:_:)` copies the
    /// route's headers.
    public func header(_ name: HTTPHeaders.Name, _ value: String?) -> Route {
        with { route in
            if let value { route.headers.add(name, value) }
        }
    }

    /// Removes the route's values for this name, and leaves out the header that the client or its ``Authorization``
    /// would add. Values that the route adds afterwards are sent. Headers that `URLSession` adds itself, such as
    /// `User-Agent`, are sent as well. For a router's ``Routable/headers``, use ``HTTPHeaders/without(_:)``.
    public func withoutHeader(_ name: HTTPHeaders.Name) -> Route { with { $0.headers = $0.headers.without(name) } }

    /// Sends one encodable value as a JSON body, using the client's encoder. The value's own encoding decides whether a
    /// property that is nil is left out or sent as `null`. For separate values, use ``parameters(_:)``, which leaves
    /// out each value that is nil. For a literal with values of several kinds, write `as JSONValue` after it.
    public func json(_ value: some Encodable & Sendable) -> Route { with { $0.body = .json(value) } }

    /// Sends a body, which can be JSON, bytes, text, a file or a stream. Use ``parameters(_:)`` for named values.
    public func body(_ body: RequestBody) -> Route { with { $0.body = body } }

    /// Sets whether the client's ``Authorization`` is sent.
    public func authorization(_ policy: AuthorizationPolicy) -> Route { with { $0.authorization = policy } }

    /// Sets the name shown in errors and logs.
    public func named(_ name: String) -> Route { with { $0.label = name } }

    /// Adds a closure that changes the request after it is built. Closures run in the order in which they were added.
    /// See ``Route/configure-swift.property``.
    public func configure(_ change: @escaping @Sendable (inout URLRequest) throws -> Void) -> Route {
        with { route in
            route.configure = { [first = route.configure] request in
                try first?(&request)
                try change(&request)
            }
        }
    }

    /// Sets the mock that answers in a sealed environment. By default, the mock has the name of the router's enum case;
    /// pass nil to restore this default.
    public func mock(_ name: MockName?) -> Route { with { $0.mock = name } }

    /// Sets the time limit for the whole call, including redirects and retries.
    public func timeout(_ timeout: Duration) -> Route { with { $0.timeout = timeout } }

    /// Sets how often a call is retried after a failure, for any method: `Route.get("status").retry(.standard)`. To
    /// send a POST again, prefer ``idempotencyKey(_:)`` if the server supports it.
    public func retry(_ policy: RetryPolicy) -> Route { with { $0.retry = policy } }

    /// Permits retries of the request although its method is not idempotent. A ``RetryPolicy`` sets when and how often
    /// the request is retried.
    public func retryable() -> Route { with { $0.isRepeatable = true } }

    /// Sends `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), with which the server recognises a request
    /// that it has already processed. A call with this header is retried like a call with an idempotent method. All
    /// attempts of a call have the same key.
    ///
    /// - Parameter key: the key; by default, each call has a new random UUID.
    public func idempotencyKey(_ key: String? = nil) -> Route {
        with { $0.idempotencyKey = key.map(IdempotencyKey.fixed) ?? .random }
    }

    /// Sets how long a call may wait for the next bytes of the response.
    public func idleTimeout(_ timeout: Duration) -> Route { with { $0.idleTimeout = timeout } }

    /// Sets whether redirects are followed.
    public func redirects(_ policy: RedirectPolicy) -> Route { with { $0.redirects = policy } }

    /// Sets which statuses are accepted as responses. With `.acceptedStatuses(.all)`, no status is an error.
    public func acceptedStatuses(_ policy: StatusPolicy) -> Route { with { $0.acceptedStatuses = policy } }

    /// Sets whether the value of the response is inside the client's ``ClientConfiguration/wrapper``.
    public func wrapped(_ isWrapped: Bool) -> Route { with { $0.isWrapped = isWrapped } }

    /// Sends the route to another server. The environment's value for this key is the base URL of that server.
    public func baseURLKey(_ key: String) -> Route { with { $0.baseURLKey = key } }

    /// Sets the type of the response body, for tools that check mocks against models: see ``Route/responseType``.
    public func answers(_ type: (some Decodable & Sendable).Type) -> Route { with { $0.responseType = type } }

    private func with(_ change: (inout Route) -> Void) -> Route {
        var copy = Route.from(self)
        change(&copy)
        return copy
    }
}
