import Foundation

/// One endpoint as a type of its own, with typed input and output.
///
/// ```swift
/// struct CreateRepository: Endpoint {
///     typealias Response = Repository
///     let body: NewRepository
///
///     var method: HTTPMethod { .post }
///     var path: RoutePath { "user/repos" }
/// }
///
/// let repository = try await client.send(CreateRepository(body: NewRepository(name: "hello")))
/// ```
///
/// To send files or bytes instead of an encodable value, declare `var body: RequestBody?` as in any ``Routable``. The
/// response stays typed.
///
/// The two associated types may be left out: an endpoint without ``Response`` returns ``NoContent`` and accepts any
/// response body; an endpoint without ``Body`` sends no body. All properties of ``Routable`` can be declared too. To
/// keep an API's endpoints together, use a ``Routable`` enum instead.
public protocol Endpoint<Response>: Routable {
    /// The type that a successful response's body is decoded as; ``NoContent`` by default. If the type is optional, a
    /// response without a body is decoded as nil.
    associatedtype Response: Decodable & Sendable = NoContent
    /// The type of the input that the request sends; ``NoBody`` by default.
    associatedtype Body: Encodable & Sendable = NoBody

    /// The input. For GET, HEAD and DELETE, the input is sent in the query; for other methods, it is sent as JSON.
    /// ``Routable/encoding`` overrides this default.
    var body: Body { get }
}

extension Endpoint where Body == NoBody {
    /// The default: no body.
    public var body: NoBody { NoBody() }
}

extension Endpoint {
    /// The type ``Response``; nil if ``Response`` is ``NoContent``.
    public var responseType: (any (Decodable & Sendable).Type)? {
        Response.self == NoContent.self ? nil : Response.self
    }

    /// The route built from the properties.
    public var route: Route { Route(properties: self) }
}

extension Route {
    /// Builds a route from an endpoint's properties and body. Call this initializer in a custom
    /// ``RouteConvertible/route`` to start from the default route.
    public init<E: Endpoint>(properties endpoint: E) {
        self = Self.withoutBody(of: endpoint)
        let input: E.Body = endpoint.body
        if input is NoBody || (input as? any AnyOptional)?.isAbsent == true { return }
        if let data = input as? Data {
            body = .data(data)
        } else if encoding == .json || encoding == nil && !method.placesParametersInQuery {
            body = .json(input)
        } else {
            var values = Parameters(input)
            if let named = parameters { values.append(contentsOf: named) }
            parameters = values
        }
    }

    /// The parameter type `some Routable` selects the overload of `Route.init(properties:)` for routers. If the
    /// overload for endpoints called `init(properties:)` directly, it would call itself.
    private static func withoutBody(of router: some Routable) -> Route { Route(properties: router) }
}

/// The response type of an ``Endpoint`` whose response is not decoded. Any body is accepted, including an empty body.
public struct NoContent: Decodable, Sendable, Equatable {
    /// Creates the empty value.
    public init() {}
    /// Accepts any content and reads nothing.
    public init(from decoder: any Decoder) {}
}

/// The body type of an ``Endpoint`` that sends no body.
public struct NoBody: Encodable, Sendable, Equatable {
    /// Creates the empty value.
    public init() {}
}
