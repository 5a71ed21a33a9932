import Foundation

/// One endpoint as a type of its own, which says what goes in and what comes out.
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
/// Where what goes in is no value but files or bytes, write `var body: RequestBody?` as in any ``Routable``; what comes out is typed
/// all the same.
///
/// There are four kinds, told by the associated types: an endpoint without ``Response`` gives ``NoContent`` and accepts any body, one
/// without ``Body`` sends none. Everything that ``Routable`` has can be said here too. Use a ``Routable`` enum where the endpoints of
/// an API should stand together.
public protocol Endpoint<Response>: Routable {
    /// What the body of a successful response is decoded as. An optional type is nil for a response without a body.
    associatedtype Response: Decodable & Sendable = NoContent
    /// What is sent.
    associatedtype Body: Encodable & Sendable = NoBody

    /// What is sent: in the query for GET, HEAD and DELETE, else as JSON, unless ``Routable/encoding`` says otherwise.
    var body: Body { get }
}

extension Endpoint where Body == NoBody {
    public var body: NoBody { NoBody() }
}

extension Endpoint {
    public var responseType: (any (Decodable & Sendable).Type)? {
        Response.self == NoContent.self ? nil : Response.self
    }

    /// The route that the properties describe.
    public var route: Route { Route(properties: self) }
}

extension Route {
    /// The route that the properties and the body of an endpoint describe, for an endpoint that has more to say than they can.
    public init<E: Endpoint>(properties endpoint: E) {
        self = Self.withoutBody(of: endpoint)
        let input: E.Body = endpoint.body
        if input is NoBody || (input as? any AbsentBody)?.isAbsent == true { return }
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

    /// Here an endpoint is only a router, which is what chooses the other initializer.
    private static func withoutBody(of router: some Routable) -> Route { Route(properties: router) }
}

/// The response of an ``Endpoint`` that has nothing to decode: any body is accepted, and none.
public struct NoContent: Decodable, Sendable, Hashable {
    public init() {}
    public init(from decoder: any Decoder) {}
}

/// The body of an ``Endpoint`` that sends none.
public struct NoBody: Encodable, Sendable, Hashable {
    public init() {}
}

/// A body that may be left out.
private protocol AbsentBody {
    var isAbsent: Bool { get }
}

extension Optional: AbsentBody {
    fileprivate var isAbsent: Bool {
        if case .none = self { true } else { false }
    }
}
