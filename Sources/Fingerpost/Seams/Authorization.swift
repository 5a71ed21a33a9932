import FingerpostFiles
public import Foundation

/// The credentials of a client, set in ``ClientConfiguration/authorization``. The route's ``AuthorizationPolicy``
/// decides whether the credentials are sent.
///
/// ```swift
/// configuration.authorization = .bearer(token)
/// configuration.authorization = .dynamic { await session.token.map { .bearer($0) } }
/// configuration.authorization = .refreshing(store) { expired in try await session.newToken() }
/// ```
///
/// Descriptions, mirrors and errors never contain the credentials.
public struct Authorization: Sendable {
    /// A header with a credential.
    package struct Header: Sendable {
        package var name: HTTPHeaders.Name
        var value: String
        /// Replaces the credential if a server rejects the credential; nil for a credential that does not change.
        var renewable: TokenRefresher.Use?

        /// The account that the credential belongs to; nil if the store does not know the account.
        package var account: String? { renewable?.account }

        /// True for an empty credential: a blank value, a scheme without a token (RFC 6750 section 2.1), or a Basic
        /// credential with neither a user nor a password. A user without a password is a credential, because many API
        /// keys have this form.
        ///
        /// - Throws: ``APIError`` for a token that already contains the scheme.
        var isNone: Bool {
            get throws(APIError) {
                let words = value.words(between: " \t\r\n")
                guard name == .authorization, let scheme = words.first?.lowercased() else { return words.isEmpty }
                if scheme == "bearer", words.dropFirst().first?.lowercased() == "bearer" {
                    throw APIError(
                        .authorization, "the bearer token begins with \"Bearer\", which the client adds itself",
                        fix: "pass the token alone")
                }
                guard let credential = words.dropFirst().first else { return ["bearer", "basic"].contains(scheme) }
                return scheme == "basic" && credential == "Og=="
            }
        }
    }

    /// The credentials for one call.
    struct Credentials: Sendable {
        /// The headers. The list is empty if there are no credentials. The list is nil for a call that the closure of a
        /// refresh sends, because that call gets no credentials.
        var headers: [Header]? = []
        /// The signers. Signers run after the headers are added.
        var signers: [any RequestSigner] = []
        /// True if some credentials were left out, because they do not belong to the chosen environment.
        var isIncomplete = false
    }

    /// The sources of the credentials. If two sources use the same header, the header of the first source is sent.
    private let sources: [any CredentialSource]

    private init(_ source: some CredentialSource) { sources = [source] }

    private init(combining all: [Authorization]) { sources = all.flatMap(\.sources) }

    /// The credentials that never change. Errors hide these credentials even if the call does not send them.
    var constant: [Header] { sources.flatMap(\.constant) }

    /// Returns the account of a call in an environment. Returns nil if the account is unknown before the credentials
    /// are created.
    func account(in environment: Environment?) async throws -> String? {
        try await Self.pinning(environment) {
            for source in sources {
                if let account = try await source.account(in: environment) { return account }
            }
            return nil
        }
    }

    /// Returns the credentials for one call.
    ///
    /// - Parameter areWithheld: true if only credentials of the environment itself may be sent.
    func credentials(in environment: Environment?, areWithheld: Bool) async throws -> Credentials {
        try await Self.pinning(environment) {
            var (headers, all): ([Header], Credentials) = ([], .init())
            for source in sources {
                let more = try await source.credentials(in: environment, areWithheld: areWithheld)
                guard let new = more.headers else { return more }
                headers += new.filter { new in !headers.contains { $0.name == new.name } }
                all.signers += more.signers
                all.isIncomplete = all.isIncomplete || more.isIncomplete
            }
            all.headers = headers
            return all
        }
    }

    /// Runs a closure of an authorization. Calls that the closure sends use the environment of the call that needs the
    /// credentials.
    static func pinning<Result>(
        _ environment: Environment?, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await PinnedEnvironment.run(in: environment?.contents.maySwitch == true ? environment : nil, body)
    }

    /// Basic authentication (RFC 7617): a name and a password, encoded as UTF-8. Calls fail with the kind
    /// `authorization` if the name or the password contains a control character. Calls also fail if the name contains a
    /// colon, because servers read everything after the first colon as the password. If the name and the password are
    /// both empty, no credentials are sent.
    ///
    /// Before you pass the identifier and the secret of an OAuth client, percent-encode both (RFC 6749 section 2.3.1).
    /// Otherwise, the server decodes a secret that contains `+` or `%`, and reads another secret.
    public static func basic(user: String, password: String) -> Authorization {
        let isValid = !user.contains(bytesOf: ":") && (user + password).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        if isValid { return fixed(.authorization, "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()) }
        return dynamic {
            throw APIError(
                .authorization, "Basic credentials have no colon in the user name, and no control character",
                fix: "correct them, such as a line break at the end of the file that they were read from")
        }
    }

    /// A bearer token (RFC 6750), without the word `Bearer`. An empty or blank token counts as no credential. If the
    /// token changes, use ``dynamic(_:)`` instead. If the app must ask a server for the next token, use
    /// ``refreshing(_:scheme:when:_:)``.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - scheme: the word before the token, such as `DPoP`.
    public static func bearer(_ token: String, scheme: String = "Bearer") -> Authorization {
        fixed(.authorization, "\(scheme) \(token)")
    }

    /// A credential in any other header: `.custom(header: "X-Api-Key", value: key)`. An empty or blank value counts as
    /// no credential.
    public static func custom(header: HTTPHeaders.Name, value: String) -> Authorization { fixed(header, value) }

    /// Credentials that change. The closure runs for every call that sends credentials, and again each time the request
    /// is retried. Redirects reuse the closure's result.
    ///
    /// - Parameter make: returns the current credentials; nil when there are none. If the closure throws an error, the
    ///   call fails and the request is not sent.
    public static func dynamic(_ make: @escaping @Sendable () async throws -> Authorization?) -> Authorization {
        Authorization(DynamicCredentials(make: make))
    }

    /// Credentials for each environment, for apps in which testers switch servers with `choose(_:)` of the product
    /// `FingerpostSwitching`. A call gets only the credentials of its own environment.
    ///
    /// ```swift
    /// configuration.authorization = .perEnvironment { environment in
    ///     let store = KeychainStore(service: "org.example.\(environment.name)")
    ///     return .refreshing(store) { expired in try await session.newToken() }
    /// }
    /// ```
    ///
    /// The closures of these credentials can send calls themselves, for example to refresh a token. Such a call goes to
    /// the environment of the call that needs the credentials, even if another environment was chosen in the meantime.
    /// Calls in a callback, or in a task that the closure does not wait for, may go to the other environment: send them
    /// with ``APIClient/with(environment:)``.
    ///
    /// - Parameter make: returns the credentials of an environment; nil when there are none yet. The client keeps one
    ///   result for each environment, that is, for each name with its base URLs. After nil or an error, the closure
    ///   runs again for the next call. If the closure throws an error, the call fails and nothing is sent.
    public static func perEnvironment(
        _ make: @escaping @Sendable (Environment) throws -> Authorization?
    ) -> Authorization {
        Authorization(EnvironmentCredentials(make))
    }

    /// A bearer token that expires. When a server answers 401, the closure `refresh` gets the next token, and the call
    /// is sent again with this token.
    ///
    /// ```swift
    /// let store = InMemoryCredentialStore(session.accessToken)
    /// configuration.authorization = .refreshing(store) { expired in
    ///     try await client.send(OAuth.refresh(session.refreshToken), as: Token.self).accessToken
    /// }
    /// ```
    ///
    /// - One refresh runs at a time: all calls whose token expired wait for this refresh. If one of these calls is
    ///   cancelled, the refresh continues.
    /// - A refresh that takes longer than two minutes is given up as soon as another call needs a token. The client
    ///   cancels the task of that refresh, discards a token that the refresh still returns, and runs the closure again.
    /// - If the server rejects a token that is older than the store's token, the call is retried without a refresh.
    /// - A call that the client sends in the closure has none of the client's credentials, and never starts a refresh.
    /// - If the app stores or removes a token during the refresh, for example when the user signs out, the refreshed
    ///   token is discarded: see ``CredentialStore/save(_:replacing:)``.
    /// - A call that began with one account of the store is not sent with another account: the call fails with the kind
    ///   `cancelled`. See ``CredentialStore/accountToken()``.
    /// - Clients that share a store must also share the value that this function returns, because each value refreshes
    ///   by itself.
    /// - If the closure throws an error, the calls that need the token fail with an ``APIError`` of the kind
    ///   `authorization`. The client does not refresh the same token again. If the failure is temporary, such as a lost
    ///   connection, the calls fail with the kind `offline`, `timedOut` or `transport`, and the next call runs the
    ///   closure again.
    ///
    /// While the store has no token, calls are sent without a credential. For a client that needs no user to sign in,
    /// use ``clientCredentials(_:scheme:when:_:)``.
    ///
    /// - Parameters:
    ///   - store: keeps the token. The refreshed token is saved there.
    ///   - scheme: the word before the token, such as `DPoP`.
    ///   - isExpired: returns true for a response that says that the token has expired, such as a 403 of some servers.
    ///     By default, the closure is nil, and a 401 means that the token has expired. The closure is also called for
    ///     the responses of mocks. If the response to the new token also says that the token has expired, the call ends
    ///     with that response. If a stream or a download succeeds, the closure receives the response without its body.
    ///   - refresh: receives the token that expired, and returns the next token.
    public static func refreshing(
        _ store: some CredentialStore, scheme: String = "Bearer",
        when isExpired: (@Sendable (Response<Data>) -> Bool)? = nil,
        _ refresh: @escaping @Sendable (_ expired: String) async throws -> String
    ) -> Authorization {
        refreshing(
            store, scheme: scheme, when: isExpired, expiring: { ExpiringToken(try await refresh($0), expiresIn: nil) })
    }

    /// A bearer token whose expiry date is known. This function works like ``refreshing(_:scheme:when:_:)``, but the
    /// client also renews the token before it expires. One renewal serves all calls that wait for it. If the renewal
    /// fails temporarily, these calls are sent with the token in the store.
    ///
    /// ```swift
    /// configuration.authorization = .refreshing(store) { expired in
    ///     let token = try await client.send(OAuth.refresh(session.refreshToken), as: Token.self)
    ///     return ExpiringToken(token.accessToken, expiresIn: .seconds(token.expiresIn))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - store: keeps the token.
    ///   - scheme: the word before the token, such as `DPoP`.
    ///   - isExpired: returns true for a response that says that the token has expired; by default, a 401 means that
    ///     the token has expired.
    ///   - refresh: receives the token that expired or expires soon, and returns the next token with its expiry date.
    @_disfavoredOverload
    public static func refreshing(
        _ store: some CredentialStore, scheme: String = "Bearer",
        when isExpired: (@Sendable (Response<Data>) -> Bool)? = nil,
        expiring refresh: @escaping @Sendable (_ expired: String) async throws -> ExpiringToken
    ) -> Authorization {
        Authorization(TokenRefresher(store, scheme: scheme, when: isExpired, refresh))
    }

    /// A bearer token of the client itself, without a user who signs in, as in the client credentials grant of OAuth
    /// 2.0 (RFC 6749 section 4.4). The first call that needs the token fetches it, and other calls wait for this token
    /// in the meantime. The client fetches the next token before the current token expires, and after a 401.
    ///
    /// ```swift
    /// configuration.authorization = .clientCredentials {
    ///     let token = try await client.send(OAuth.token, as: Token.self)
    ///     return ExpiringToken(token.accessToken, expiresIn: .seconds(token.expiresIn))
    /// }
    /// ```
    ///
    /// After a failed fetch, the next call always runs the closure `fetch` again. Everything else works as in
    /// ``refreshing(_:scheme:when:_:)``.
    ///
    /// - Parameters:
    ///   - store: keeps the token; in memory by default.
    ///   - scheme: the word before the token, such as `DPoP`.
    ///   - isExpired: returns true for a response that says that the token has expired; by default, a 401 means that
    ///     the token has expired.
    ///   - fetch: returns a token with its expiry date. A call that the client sends in this closure has none of the
    ///     client's credentials.
    public static func clientCredentials(
        _ store: some CredentialStore = InMemoryCredentialStore(), scheme: String = "Bearer",
        when isExpired: (@Sendable (Response<Data>) -> Bool)? = nil,
        _ fetch: @escaping @Sendable () async throws -> ExpiringToken
    ) -> Authorization {
        Authorization(
            TokenRefresher(store, scheme: scheme, isOfClient: true, when: isExpired) { _ in try await fetch() })
    }

    /// A signature of each request: see ``RequestSigner``. To send a token too, write `.combined(.bearer(token),
    /// .signing(signer))`: the signer sees the token.
    public static func signing(_ signer: some RequestSigner) -> Authorization {
        Authorization(SigningCredentials(signer: signer))
    }

    /// A signature of each request, for a signer that does not need the responses: see ``RequestSigner``.
    ///
    /// - Parameter headers: returns the headers for exactly this request. If the closure throws an error, the call
    ///   fails with the kind `authorization`, and the request is not sent.
    public static func signing(
        _ headers: @escaping @Sendable (URLRequest) async throws -> HTTPHeaders
    ) -> Authorization {
        signing(ClosureSigner(sign: headers))
    }

    /// True in the closures of an authorization. Calls that these closures send are not recorded.
    @TaskLocal package static var isRunning = false

    /// Several credentials in one request, such as an API key and a token. All the credentials go to the same servers.
    /// If two credentials use the same header, only the first header is sent.
    public static func combined(_ first: Authorization, _ others: Authorization...) -> Authorization {
        Authorization(combining: [first] + others)
    }

    private static func fixed(_ name: HTTPHeaders.Name, _ value: String) -> Authorization {
        Authorization(FixedCredentials(constant: [Header(name: name, value: value)]))
    }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the credentials.
    public var description: String { "Authorization(\(SensitiveName.placeholder))" }
    /// An empty mirror, so that `dump` and debuggers do not show the credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A source of credentials: one of the types below, or a ``TokenRefresher``.
protocol CredentialSource: Sendable {
    /// The credentials that never change.
    var constant: [Authorization.Header] { get }

    /// Returns the account of a call. Returns nil if the account is unknown before the credentials are created.
    func account(in environment: Environment?) async throws -> String?

    /// Returns the credentials for one call.
    ///
    /// - Parameter areWithheld: true if only credentials of the environment itself may be sent.
    func credentials(in environment: Environment?, areWithheld: Bool) async throws -> Authorization.Credentials
}

extension CredentialSource {
    var constant: [Authorization.Header] { [] }
    func account(in environment: Environment?) async throws -> String? { nil }
}

private struct FixedCredentials: CredentialSource {
    let constant: [Authorization.Header]

    func credentials(in environment: Environment?, areWithheld: Bool) -> Authorization.Credentials {
        areWithheld ? .init(isIncomplete: true) : .init(headers: constant)
    }
}

private struct DynamicCredentials: CredentialSource {
    let make: @Sendable () async throws -> Authorization?

    func credentials(in environment: Environment?, areWithheld: Bool) async throws -> Authorization.Credentials {
        let authorization = try await Authorization.$isRunning.withValue(true, operation: make)
        return try await authorization?.credentials(in: environment, areWithheld: areWithheld) ?? .init()
    }
}

/// The credentials of each environment. The credentials of an environment are created once.
private final class EnvironmentCredentials: CredentialSource {
    private let make: @Sendable (Environment) throws -> Authorization?
    private let made = Locked([[String]: Authorization]())

    init(_ make: @escaping @Sendable (Environment) throws -> Authorization?) { self.make = make }

    private func authorization(in environment: Environment) throws -> Authorization? {
        let key = [environment.name] + environment.baseURLs.map { "\($0.key) \($0.value.prefix)" }.inOrder
        if let known = made.withLock({ $0[key] }) { return known }
        guard let new = try Authorization.$isRunning.withValue(true, operation: { try make(environment) }) else {
            return nil
        }
        return made.withLock { made in
            made[key] = made[key] ?? new
            return made[key]
        }
    }

    func account(in environment: Environment?) async throws -> String? {
        guard let environment else { return nil }
        return try await PinnedEnvironment.run(in: environment) {
            try await authorization(in: environment)?.account(in: environment)
        }
    }

    func credentials(in environment: Environment?, areWithheld: Bool) async throws -> Authorization.Credentials {
        guard let environment else {
            throw APIError(
                .authorization, "the credentials depend on the environment, and the client has none",
                fix: "use another authorization for a client with a base URL")
        }
        return try await PinnedEnvironment.run(in: environment) {
            // These credentials belong to the environment, so they are not withheld.
            try await authorization(in: environment)?.credentials(in: environment, areWithheld: false) ?? .init()
        }
    }
}
