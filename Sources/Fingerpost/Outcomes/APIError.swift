import FingerpostFiles
public import Foundation

/// The only error that ``APIClient`` throws.
///
/// Switch over ``kind-swift.property`` to react; print the error to find out what happened. Its description names the
/// route, the environment, the method, the URL, the status and the attempts, and holds neither credentials nor the secrets of the
/// environment. ``body``, ``headers`` and ``underlying`` are as they came:
///
/// ```swift
/// do {
///     user = try await client.send(GitHub.user(login: login), as: User.self)
/// } catch {
///     switch error.kind {
///     case .offline: showOfflineBanner()
///     case .status(404): showNobody()
///     default: logger.error("\(error)")
///     }
/// }
/// ```
public struct APIError: Error, Sendable {
    /// What went wrong, in terms that stay the same from version to version.
    public enum Kind: Hashable, Sendable {
        /// The route cannot become a request: a bad path, method, header or timeout. Nothing was sent.
        case invalidRoute
        /// The environment is missing, broken or incomplete. Nothing was sent.
        case environment
        /// No mock could answer under a sealed environment. Nothing was sent.
        case mock
        /// A parameter or body could not be written. Nothing was sent.
        case encoding
        /// The device has no connection.
        case offline
        /// The time for the call ran out.
        case timedOut
        /// The task was cancelled.
        case cancelled
        /// The connection failed, or what came over it was not HTTP.
        case transport
        /// The server answered with a status outside 200…299.
        case status(Int)
        /// The body of a successful response is not what was asked for.
        case decoding
    }

    /// The bodies of errors are kept up to this many bytes.
    public static let maximumBodySize = 65_536

    public let kind: Kind
    /// What happened, in a sentence.
    public internal(set) var message: String
    /// What to do about it, where that is known.
    public internal(set) var fix: String?
    /// The route's name: ``Route/name``.
    public internal(set) var route: String?
    /// The environment's name and file.
    public internal(set) var environment: String?
    /// The request's method and URL, credentials left out.
    public internal(set) var request: String?
    /// The mock's file, where one answered.
    public internal(set) var mock: URL?
    /// The status of the response, where there was one.
    public internal(set) var status: Int?
    /// The headers of the response, where there was one.
    public internal(set) var headers: HTTPHeaders?
    /// The response's body, cut after ``maximumBodySize`` bytes, where there was one.
    public internal(set) var body: Data?
    /// What the server said in a JSON error body, looked for where servers put it: `message`, `error_description`,
    /// `detail`, `error`, `title`, or the first of `errors`. Credentials of the request that it repeats are left out. Bodies of more than
    /// a mebibyte are not searched.
    public internal(set) var serverMessage: String?
    /// The error body as ``ClientConfiguration/errorResponse`` declares it, where the server sent one.
    public internal(set) var response: (any ErrorResponse)?
    /// How often the request was sent.
    public internal(set) var attempts: Int?
    /// Where in the body decoding failed: `owner.name`, `items[3].id`.
    public internal(set) var codingPath: String?
    /// The JSON around that place, credentials left out; nil for bodies of more than a mebibyte.
    public internal(set) var fragment: String?
    /// What caused it, where another library did.
    public let underlying: (any Error)?

    init(
        _ kind: Kind, _ message: String, fix: String? = nil, codingPath: String? = nil, fragment: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.message = message
        self.fix = fix
        self.codingPath = codingPath
        self.fragment = fragment
        self.underlying = underlying
    }

    /// The error with what a response says. What an inner step said is not replaced.
    func adding(_ response: Response<Data>, _ errorResponse: (any ErrorResponse)? = nil) -> APIError {
        var error = self
        error.status = error.status ?? response.status
        if case .mock(let file?) = response.source { error.mock = file }
        error.headers = error.headers ?? response.headers
        error.body = error.body ?? Data(response.data.prefix(Self.maximumBodySize))
        error.request = error.request ?? Redaction.request(response.request)
        if let errorResponse {
            error.response = errorResponse
            error.serverMessage = errorResponse.message.isEmpty ? nil : errorResponse.message
        }
        if error.serverMessage == nil, !response.isSuccess {
            error.serverMessage = ServerMessage.find(in: response.data)
        }
        return error
    }

    /// The error with each of its texts changed.
    func mapTexts(_ change: (String) -> String) -> APIError {
        var error = self
        error.message = change(error.message)
        error.fix = error.fix.map(change)
        error.route = error.route.map(change)
        error.environment = error.environment.map(change)
        error.request = error.request.map(change)
        error.serverMessage = error.serverMessage.map(change)
        error.codingPath = error.codingPath.map(change)
        error.fragment = error.fragment.map(change)
        return error
    }

    /// The error with the name of its route, unless an inner step knew it.
    func named(_ route: String) -> APIError {
        var error = self
        error.route = error.route ?? route
        return error
    }
}

extension APIError: CustomStringConvertible, LocalizedError {
    /// Everything known of the failure, a line each.
    public var description: String {
        let lines: [(String, String?)] = [
            ("route", route),
            ("environment", environment),
            ("request", request),
            ("mock", mock.map(FilePath.display)),
            ("status", status.map { "\($0)" + (body.map { ", \($0.count) bytes" } ?? "") }),
            ("server says", serverMessage.map(\.printable)),
            ("attempts", attempts.flatMap { $0 > 1 ? "\($0)" : nil }),
            ("at", codingPath),
            ("json", fragment),
            ("fix", fix),
        ]
        let details = lines.compactMap { label, text in
            text.map { "\n  " + (label + ":").padding(toLength: 13, withPad: " ", startingAt: 0) + $0 }
        }
        return "\(kind): \(message)" + details.joined()
    }

    /// The server's own message where there is one, else ``message``.
    public var errorDescription: String? { serverMessage ?? message }

    public var recoverySuggestion: String? { fix }
}

extension APIError.Kind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidRoute: "invalid route"
        case .environment: "environment"
        case .mock: "mock"
        case .encoding: "encoding"
        case .offline: "offline"
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        case .transport: "transport"
        case .status(let status): "status \(status)"
        case .decoding: "decoding"
        }
    }
}

extension APIError: CustomReflectable {
    /// What the description tells, and no more of what is as it came than that it is there.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": kind, "message": message, "fix": fix as Any, "route": route as Any,
                "environment": environment as Any, "request": request as Any, "mock": mock as Any,
                "status": status as Any, "headers": headers?.description as Any,
                "body": body.map { "\($0.count) bytes" } as Any,
                "serverMessage": serverMessage as Any, "response": response.map { "\(type(of: $0))" } as Any,
                "attempts": attempts as Any, "codingPath": codingPath as Any, "fragment": fragment as Any,
                "underlying": underlying.map { "\(type(of: $0))" } as Any,
            ], displayStyle: .struct)
    }
}
