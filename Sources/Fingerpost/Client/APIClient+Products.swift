/// What the products beside the core need of a client, besides its public API.
extension APIClient {
    /// This client, but its calls report their progress.
    ///
    /// - Parameter make: makes what hears of a call.
    package func reporting(to make: @escaping @Sendable (ProgressContext) -> any CallProgress) -> APIClient {
        APIClient(self, reportingTo: make)
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
}
