package import Foundation

/// The members that other products use in addition to the public API of a client.
extension APIClient {
    /// Returns a copy of this client whose calls report their progress.
    package func measured(by makeProgress: @escaping ProgressMaker) -> APIClient {
        APIClient(Sender(sender.selection, sharing: sender, measuredBy: makeProgress))
    }

    /// Returns the deadline of a call that starts now.
    package func deadline(of route: Route) -> Deadline { sender.selection.deadline(of: route) }

    /// Adds the route and the environment to the error of a call that was not started.
    ///
    /// - Parameter isCall: true if a call was refused, so that the observers are notified of the call.
    package func failure(_ error: APIError, of route: Route, isCall: Bool = false) -> APIError {
        sender.failure(error, of: route, isCall: isCall)
    }

    /// Sends a route whose body goes into a sink.
    ///
    /// - Returns: the response. If the response is successful, its body is empty.
    package func transfer(
        _ route: some RouteConvertible, by sink: any CallSink
    ) async throws(APIError) -> Response<Void> {
        let call = sender.call(route, into: sink)
        return try await sender.run(call) { $0.with(body: $0.isSuccess ? Data() : $0.data).map { _ in } }
    }

    /// Prepares a call, which ``start(_:_:)`` sends.
    ///
    /// - Parameters:
    ///   - body: receives the body, if the call returns when the head of the response arrives; nil if the call returns
    ///     the whole response.
    ///   - type: the type that is read from the body.
    ///   - account: the only account that may send the call; nil for the account that is signed in.
    package func open(
        _ route: Route, into body: (any StreamedBody)? = nil, decoding type: Any.Type = Data.self,
        as account: String? = nil
    ) -> Call {
        let call = sender.call(route, streamedBody: body, decoding: type)
        // `begin(as:)` throws an error only if the call has begun with another account, and a new call has no account
        // yet.
        try? call.record.begin(as: account)
        return call
    }

    /// Runs a call until the head of its response arrives.
    ///
    /// - Parameter take: receives the head of the response, and returns the result of this method.
    /// - Throws: ``APIError``, also for a status that is not successful.
    package func start<Body: Sendable>(
        _ call: Call, _ take: (Response<Data>) throws -> Body
    ) async throws(APIError) -> Body { try await sender.run(call, read: take) }

    /// The URL, without parameters, of a call that would send the route now; nil if the route has no valid URL.
    package func url(of route: Route) -> URL? { sender.url(of: route) }

    /// True if only mocks may answer a call that starts now.
    package var isSealed: Bool { sender.selection.isSealed }

    /// Removes headers that must not go to another origin. The rules are the same as for a redirect to another origin.
    package func dropCredentials(of route: inout Route) async throws {
        if route.authorization != .none { route.authorization = .optional }
        let names = try await sender.namesOfAuthorization()
        // The values of environment keys may be credentials.
        route.headers = route.headers.following(authorization: names, withoutKeys: true)
        guard let configure = route.configure else { return }
        route.configure = { request in
            let given = request.allHTTPHeaderFields
            try configure(&request)
            request.removeHeaders { $0.value != given?[$0.name.rawValue] && !$0.mayFollow(authorization: names) }
        }
    }
}
