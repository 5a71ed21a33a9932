import FingerpostFiles
import Foundation

extension Sender {
    /// Adds the client's credentials if the route's policy allows them for the request's origin, which middleware may
    /// have changed. A header that the request already has takes precedence.
    ///
    /// - Returns: the request, and the signers that sign the request when it is sent. The signers are nil if there are
    ///   none.
    @inline(never)
    func authorized(_ request: URLRequest, of call: Call) async throws -> (URLRequest, Signing?) {
        try Signing.checkNoSignerRuns(of: self)
        var (request, policy) = (request, call.route.authorization)
        // Middleware may send a request to the target of an earlier redirect. The route's policy was not written for
        // the server of that redirect.
        if policy != .none, let url = request.url, call.record.read({ $0.redirected.contains(Origin(url)) }) {
            policy = .optional
        }
        let credentialServers = credentialServers(of: call.route, by: policy, in: call.environment)
        let isHome = credentialServers.include(request.url)
        // Middleware may have made the request invalid, added a body, or changed the server.
        if !middleware.isEmpty {
            try request.complete()
            var builder = builder(for: call.route, in: call.environment)
            builder.credentialServers = credentialServers
            try builder.dropCredentials(from: &request, of: call.route)
        }
        // If a mock answers, the call may have any URL, because nothing is sent there.
        if policy == .required, !isHome, call.responder.isNetwork {
            throw APIError(
                .invalidRoute,
                "credentials are not sent to \(Redaction.url(request.url?.absoluteString ?? "")), which is not on the "
                    + "server of the base URL; nothing was sent",
                fix: "write .authorization(.anywhere) if the app itself chooses this server, .none for a call without "
                    + "credentials, or put the server into the environment and its key into the route's baseURLKey")
        }
        var credentials: Authorization.Credentials?
        if isHome, policy != .none, configuration.authorization != nil {
            call.pause(for: .step("the client's authorization"))
            credentials = try await self.credentials(in: call.environment)
            let date = call.deadline.date
            if let use = credentials?.headers?.compactMap(\.renewable).first(where: { $0.isDue(at: date) }) {
                try await renew(use, for: call)
                credentials = try await self.credentials(in: call.environment)
                credentials?.headers?.removeAll { $0.renewable?.token.isEmpty == true }
            }
        }
        request = try authorized(request, by: credentials, isRequired: isHome && policy.isStrict, of: call)
        let signers = credentials?.signers ?? []
        return (request, signers.isEmpty ? nil : Signing(signers, of: request, in: call))
    }

    private func credentials(in environment: Environment?) async throws -> Authorization.Credentials? {
        try await configuration.authorization?.credentials(
            in: environment, areWithheld: selection.withholdsCredentials(in: environment))
    }

    /// Replaces a token before it expires, or fetches the first token.
    @inline(never)
    private func renew(_ use: TokenRefresher.Use, for call: Call) async throws {
        try await call.refreshing {
            do {
                _ = try await use.refresher.renew(use, at: call.deadline.date, by: call.deadline.time)
            } catch let error as APIError where !use.token.isEmpty && error.kind != .authorization {
                // The token may still be valid. If the token has expired, the server's response causes another refresh.
            }
        }
        call.pause(for: .step("the client's authorization"))
    }

    /// Stores the account of a call that may wait before it reads its credentials.
    @inline(never)
    func begin(_ call: Call) async throws {
        guard let authorization = configuration.authorization, call.route.authorization != .none else { return }
        call.pause(for: .step("the client's authorization"))
        try await call.runInScope {
            try await call.deadline.run(or: call.timedOut) {
                // Ignore the store's error here, because the call may need no credentials. If the call needs
                // credentials, it reads the store again and reports the error.
                _ = try? call.record.begin(as: await authorization.account(in: call.environment))
            }
        }
        call.goOn()
    }

    /// Returns the names of the headers that the client's authorization adds. Before the client's first call, the names
    /// are unknown, so this method creates the credentials.
    func namesOfAuthorization() async throws -> Set<HTTPHeaders.Name> {
        let added = try await credentials(in: selection.environment())?.headers ?? []
        authorizationNames.withLock { $0.formUnion(added.map(\.name)) }
        return authorizationNames.withLock { $0 }
    }

    /// - Parameters:
    ///   - credentials: the credentials to add; nil if the request must be sent without credentials.
    ///   - isRequired: true if the request must not be sent without credentials.
    private func authorized(
        _ request: URLRequest, by credentials: Authorization.Credentials?, isRequired: Bool, of call: Call
    ) throws -> URLRequest {
        var request = request
        let added = try (credentials?.headers ?? []).filter { header in
            try !header.isNone && !call.route.headers.removes(header.name)
        }
        // The names of headers whose values are secrets of the call's environment.
        let secret = (configuration.headers.keys + call.route.headers.keys)
            .filter { $0.key.map { call.environment?.isSecret($0) == true } ?? false }.map(\.name)
        if configuration.authorization != nil || !secret.isEmpty {
            let names = authorizationNames.withLock { names in
                names.formUnion(added.map(\.name) + secret)
                return names
            }
            // The route or middleware may have set a header with the same name.
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
        let own = Authorization.Header(
            name: .authorization, value: request.value(forHTTPHeaderField: "Authorization") ?? "")
        // A signer may need a challenge before it adds a header.
        if added.isEmpty, try own.isNone, isRequired, credentials?.signers.isEmpty != false {
            throw APIError(lacking: credentials)
        }
        if credentials?.isIncomplete == true { call.addNoteOfCall(Self.noteOfForeign) }
        return request
    }

    /// Adds a note to the error of a 401 or 403, if the server must not get the client's credentials.
    @inline(never)
    func explainWithheldCredentials(_ call: Call, _ response: Response<Data>) {
        guard response.status == 401 || response.status == 403,
            configuration.authorization != nil || hasCredentialHeaders, call.route.authorization != .none,
            !selection.withholdsCredentials(in: call.environment), let url = call.record.read({ $0.sent.first?.url }),
            !credentialServers(of: call.route, in: call.environment).include(url),
            Redaction.credentials(of: response.request).isEmpty
        else { return }
        call.addNoteOfCall(
            "the client's credentials were left out, because they go to the server of its base URL alone, unless the "
                + "route sets .authorization(.anywhere), or .required with its baseURLKey")
    }
}

extension APIError {
    /// The error for a route that requires credentials although the client has none.
    fileprivate init(lacking credentials: Authorization.Credentials?) {
        // If the list of headers is nil, the closure that refreshes the token has sent this call.
        let isRefresh = credentials.map { $0.headers == nil } == true
        let (reason, fix) =
            credentials?.isIncomplete == true
            ? (
                "the client's credentials are not those of the chosen environment",
                "give the environment its own, with Authorization.perEnvironment"
            )
            : isRefresh
                ? ("calls in the closure that refreshes it have none", "set the route's authorization to .none")
                : (credentials?.headers?.isEmpty ?? true)
                    ? ("the client has none", "set the configuration's authorization, or sign in first")
                    : (
                        "the client's is empty or removed by the route",
                        "give the configuration's authorization a value, or set the route's authorization to .optional"
                    )
        self.init(
            isRefresh ? .invalidRoute : .authorization,
            "the route requires authorization, and \(reason); nothing was sent", fix: fix)
    }
}
