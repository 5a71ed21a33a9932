package import Foundation

/// What the products beside the core need of a client, besides its public API.
extension APIClient {
    /// This client, but its calls report their progress.
    ///
    /// - Parameter make: makes what hears of a call.
    package func reporting(to make: @escaping @Sendable (ProgressContext) -> any CallProgress) -> APIClient {
        APIClient(Sender(configuration, answering: sender.answering, sharing: sender, progress: make))
    }

    /// The deadline of a call of a route that starts now.
    package func deadline(of route: Route) -> Deadline { sender.answering.deadline(of: route) }

    /// The error for a call that was not started, with the route and the environment as its context.
    ///
    /// - Parameter isCall: true for a call that is refused, of which the observers are told.
    package func failure(_ error: APIError, of route: Route, isCall: Bool = false) -> APIError {
        sender.failure(error, of: route, isCall: isCall)
    }

    /// A call that returns at the head of its response. Nothing is sent before ``OpenCall/start(_:)``.
    ///
    /// - Parameters:
    ///   - body: receives the body.
    ///   - account: the only account as which the call may be sent; nil for the one that is signed in.
    package func open(_ route: Route, into body: any StreamedBody, as account: String? = nil) -> OpenCall {
        OpenCall(sender.call(route, body: body, as: account), by: sender)
    }

    /// The URL to which a call that starts now sends a route, without its parameters; nil if there is none.
    package func url(of route: Route) -> URL? { sender.url(of: route) }

    /// Drops what must not go to another origin, with the rule of redirects.
    package func dropCredentials(of route: inout Route) async throws {
        if route.authorization == .required { route.authorization = .optional }
        // The values of keys may be credentials.
        route.headers = route.headers.following(
            authorization: try await sender.namesOfAuthorization(), withoutKeys: true)
    }

    /// Loads a page that continues a list.
    ///
    /// - Parameters:
    ///   - account: the only account as which the page may be loaded; nil for the one that is signed in.
    ///   - place: what the list keeps with the page.
    package func loadPage<Value: Decodable & Sendable>(
        _ route: Route, as account: String?, keeping place: any AnyObject & Sendable
    ) async throws(APIError) -> Response<Value> {
        var page: Response<Value> = try await response(to: sender.call(route, as: account))
        page.update { $0.page = place }
        return page
    }
}
