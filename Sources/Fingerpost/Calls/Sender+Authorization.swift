import FingerpostFiles
import Foundation

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
        let isForeign = answering.isForeign(call.environment)
        var credentials = try await authorization.credentials(in: call.environment, isForeign: isForeign)
        let uses = (credentials.headers ?? []).compactMap(\.renewable)
        if let use = uses.first(where: { $0.isDue(at: call.deadline.date) }) {
            try await renew(use, for: call)
            credentials = try await authorization.credentials(in: call.environment, isForeign: isForeign)
            credentials.headers?.removeAll { $0.renewable?.token.isEmpty == true }
        }
        return try authorized(request, by: credentials, of: call)
    }

    /// Replaces a token before it ends, or fetches the first one.
    @inline(never)
    private func renew(_ use: TokenRefresher.Use, for call: Call) async throws {
        try await call.refreshing {
            do {
                _ = try await use.refresher.renew(use, at: call.deadline.date, by: call.deadline.time)
            } catch let error as APIError where !use.token.isEmpty && error.kind != .authorization {
                // The token may still be valid. If it is not, the server's answer leads to another refresh.
            }
        }
        call.pause(for: .step("the client's authorization"))
    }

    /// Stores the account as which a call begins, if it may wait before it asks for its credentials.
    @inline(never)
    func begin(_ call: Call) async throws {
        guard let authorization = configuration.authorization, call.route.authorization != .none,
            !middleware.isEmpty || call.route.writtenBody != nil
        else { return }
        call.pause(for: .step("the client's authorization"))
        try await call.runInScope {
            try await call.deadline.run(or: call.timedOut) {
                // Not every call is sent with credentials. One that is asks the store again, and reports its error.
                _ = try? call.record.begin(as: await authorization.account(in: call.environment))
            }
        }
        call.goOn()
    }

    /// The names of the headers that the client's authorization adds. A client that has not sent a call yet has to ask.
    func namesOfAuthorization() async throws -> Set<HTTPHeaders.Name> {
        if let authorization = configuration.authorization {
            let environment = try answering.environment()
            let isForeign = answering.isForeign(environment)
            let added = try await authorization.credentials(in: environment, isForeign: isForeign).headers
            authorizationNames.withLock { $0.formUnion((added ?? []).map(\.name)) }
        }
        return authorizationNames.withLock { $0 }
    }

    /// - Parameter credentials: the credentials to add; nil if the request must not get any.
    private func authorized(
        _ request: URLRequest, by credentials: Authorization.Credentials?, of call: Call
    ) throws -> URLRequest {
        var request = request
        let added = credentials?.headers ?? []
        let secret = secretHeaders(of: call)
        if configuration.authorization != nil || !secret.isEmpty {
            let names = authorizationNames.withLock { names in
                names.formUnion(added.map(\.name) + secret)
                return names
            }
            // The route or middleware can have set a header of the same name.
            let own = names.compactMap { name in
                request.value(forHTTPHeaderField: name.rawValue).map { Authorization.Header(name: name, value: $0) }
            }
            let missing = added.filter { header in !own.contains { $0.name == header.name } }
            for header in missing {
                try HTTPHeaders.check(header.name, header.value)
                if let use = header.renewable { try call.record.begin(as: use.account) }
                request.setValue(header.value, forHTTPHeaderField: header.name.rawValue)
            }
            call.record.add(credentials: missing, own: own)
        }
        if added.isEmpty, call.route.authorization == .required,
            request.value(forHTTPHeaderField: HTTPHeaders.Name.authorization.rawValue) == nil
        {
            throw APIError(lacking: credentials)
        }
        if credentials?.isIncomplete == true { call.addNoteOfCall(Self.noteOfForeign) }
        return request
    }

    /// Explains a refusal by another server than the client's, which got none of its credentials.
    @inline(never)
    func noteCredentialsOfHome(_ call: Call, _ request: URLRequest) {
        guard configuration.authorization != nil || hasCredentialHeaders, call.route.authorization == .optional,
            !answering.isForeign(call.environment), let url = call.record.read({ $0.built?.url }),
            !base(in: call.environment).isOrigin(of: url), Redaction.credentials(of: request).isEmpty
        else { return }
        call.addNoteOfCall(
            "the client's credentials were left out, because they go to the server of its base URL alone, unless the "
                + "route sets .authorization(.required)")
    }

    /// The names of the headers whose values are secrets of the call's environment.
    private func secretHeaders(of call: Call) -> [HTTPHeaders.Name] {
        (configuration.headers.keys + call.route.headers.keys)
            .filter { call.environment?.isSecret($0.key) == true }.map(\.name)
    }
}

extension APIError {
    /// The error for a route that requires credentials, which the client does not have.
    fileprivate init(lacking credentials: Authorization.Credentials?) {
        let problem = "the route requires authorization, and "
        if credentials?.isIncomplete == true {
            self.init(
                .authorization,
                "\(problem)the client's credentials are not those of the chosen environment; nothing was sent",
                fix: "give the environment its own, with Authorization.perEnvironment")
        } else if let credentials, credentials.headers == nil {
            // They are those of the closure that refreshes them.
            self.init(
                .invalidRoute, "\(problem)calls in the closure that refreshes it have none; nothing was sent",
                fix: "set the route's authorization to .none")
        } else {
            self.init(
                .authorization, "the route requires authorization and the client has none; nothing was sent",
                fix: "set the configuration's authorization, or sign in first")
        }
    }
}
