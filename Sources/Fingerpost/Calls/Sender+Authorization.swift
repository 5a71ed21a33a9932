import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Sender {
    /// Adds the client's credentials if the route's policy and the origin allow it. A header that the request already
    /// has takes precedence.
    @inline(never)
    func authorized(_ request: URLRequest, of call: Call) async throws -> URLRequest {
        var request = request
        // Middleware may have made the request invalid, or added a body.
        if !middleware.isEmpty { try request.complete() }
        let policy = call.route.authorization
        guard let authorization = configuration.authorization, policy != .none,
            policy == .required || base(in: call.environment).isOrigin(of: request.url)
        else { return try authorized(request, by: nil, of: call) }
        call.pause(for: .step("the client's authorization"))
        if call.environment?.isChosen == true, !authorization.isPerEnvironment {
            call.addNoteOfCall("sent without the client's credentials, which are not those of the chosen environment")
        }
        let headers = try await authorization.headers(in: call.environment)
        // Nil in the closure that refreshes the credentials.
        return try authorized(request, by: headers ?? [], isInRefresh: headers == nil, of: call)
    }

    /// - Parameter headers: the credentials to add; nil if the request must not get any.
    private func authorized(
        _ request: URLRequest, by headers: [Authorization.Header]?, isInRefresh: Bool = false, of call: Call
    ) throws -> URLRequest {
        let added = headers ?? []
        if let authorization = configuration.authorization {
            let names = authorizationNames.withLock { names in
                names.formUnion((added + authorization.constant).map(\.name))
                return names
            }
            // The route or middleware can have set a header of the same name.
            let own = names.compactMap { name in
                request.value(forHTTPHeaderField: name.rawValue).map { Authorization.Header(name: name, value: $0) }
            }
            let missing = added.filter { header in !own.contains { $0.name == header.name } }
            for header in missing { try HTTPHeaders.check(header.name, header.value) }
            call.record.add(credentials: missing, own: own)
            if !added.isEmpty { return request.with(missing) }
        }
        if call.route.authorization == .required,
            request.value(forHTTPHeaderField: HTTPHeaders.Name.authorization.rawValue) == nil
        {
            throw APIError(lackingAuthorizationInRefresh: isInRefresh)
        }
        return request
    }
}

extension APIError {
    /// The error for a route that requires credentials, which the client does not have.
    ///
    /// - Parameter isInRefresh: true in the closure that refreshes them.
    fileprivate init(lackingAuthorizationInRefresh isInRefresh: Bool) {
        self.init(
            .invalidRoute,
            isInRefresh
                ? "the route requires authorization, and calls in the closure that refreshes it have none; "
                    + "nothing was sent"
                : "the route requires authorization and the client has none; nothing was sent",
            fix: isInRefresh
                ? "set the route's authorization to .none" : "set the configuration's authorization, or sign in first")
    }
}
