import FingerpostFiles
public import Foundation

/// The only error type that ``APIClient`` throws.
///
/// To handle the error, switch over ``kind-swift.property``; to see what happened, print the error. The description
/// contains the route, the environment, the method, the URL, the status and the number of attempts, but no credentials
/// or environment secrets. ``body``, ``headers`` and ``underlying`` are not redacted.
///
/// ```swift
/// do {
///     user = try await client.send(GitHub.user(login: login), as: User.self)
/// } catch {
///     switch error.kind {
///     case .offline: showOfflineBanner()
///     case .status(404): showNotFound()
///     default: logger.error("\(error)")
///     }
/// }
/// ```
public struct APIError: Error, Sendable {
    /// The kind of failure. The kinds are stable across versions.
    public enum Kind: Hashable, Sendable {
        /// The route is invalid, for example its path, method, headers or timeout. Nothing was sent.
        case invalidRoute
        /// The environment is missing, invalid or incomplete. Nothing was sent.
        case environment
        /// No mock could answer in a sealed environment. Nothing was sent.
        case mock
        /// A parameter or body could not be encoded. Nothing was sent, unless the message says that the body could not
        /// be read a second time.
        case encoding
        /// The device has no connection.
        case offline
        /// The call's time limit expired.
        case timedOut
        /// The task was cancelled, or another user has signed in since the call began (see
        /// ``CredentialStore/accountToken()``).
        case cancelled
        /// The connection failed, the response was not HTTP, a file could not be written, or the server that refreshes
        /// a credential could not answer.
        case transport
        /// The server answered with a status outside 200…299.
        case status(Int)
        /// The body of a successful response does not decode as the requested type.
        case decoding
        /// The user has to sign in, again or for the first time. Either the credential expired and was not refreshed,
        /// or the route requires a credential that the client does not have. In the second case, nothing was sent.
        /// After a failed refresh (see ``Authorization/refreshing(_:scheme:when:_:)``), ``APIError/underlying`` is the
        /// error that the closure threw. If a refresh failed because of the connection, the kind is ``offline``,
        /// ``timedOut`` or ``transport`` instead.
        case authorization
    }

    /// The properties of the error that are known so far.
    struct Details {
        let kind: Kind
        var message: String
        var fix: String?
        var route: String?
        var environment: String?
        var request: String?
        /// The method and URL, without credentials, of the request whose response redirected to `request`; nil if there
        /// was no redirect.
        var redirector: String?
        var mock: URL?
        var status: Int?
        var requestID: String?
        var headers: HTTPHeaders?
        /// The text of `headers` without credentials.
        var shownHeaders: String?
        var body: Data?
        var serverMessage: String?
        /// The server's messages about single fields, as one text.
        var fieldErrors: String?
        var bodyLine: String?
        var response: (any ErrorResponse)?
        var attempts: Int?
        var history: [Attempt] = []
        /// Makes ``APIError/curl`` only when the command is read, which is rare.
        var makeCurl: (@Sendable () -> String)?
        var codingPath: String?
        var fragment: String?
        /// The size of the body in bytes, if `body` was removed.
        var removedSize: Int64?
        var underlying: (any Error)?
    }

    @Boxed var details: Details

    /// The maximum size of ``body``, in bytes.
    public static let maximumBodySize = 65_536

    /// The kind of failure. Switch over this property to handle the error.
    public var kind: Kind { details.kind }
    /// A sentence that describes the failure.
    public var message: String { details.message }
    /// How to fix the failure, if known.
    public var fix: String? { details.fix }
    /// The route's name: ``Route/name``.
    public var route: String? { details.route }
    /// The environment's name and file.
    public var environment: String? { details.environment }
    /// The request's method and URL, without credentials.
    public var request: String? { details.request }
    /// The file of the mock that answered, if a mock answered from a file.
    public var mock: URL? { details.mock }
    /// The response's status code, if there was a response.
    public var status: Int? { details.status }
    /// The identifier of the request, for the people who run the server. The identifier is the value of a header such
    /// as `x-request-id`, `request-id`, `x-amzn-requestid` or `cf-ray`, or of a header in
    /// ``ClientConfiguration/requestIDHeaders``. If the response has no such header, the request's header is used.
    public var requestID: String? { details.requestID }
    /// The response's headers; empty if there was no response. The headers are not redacted.
    public var headers: HTTPHeaders { details.headers ?? [:] }
    /// The first ``maximumBodySize`` bytes of the response's body, if there was a response. These bytes are not
    /// redacted.
    public var body: Data? { details.body }
    /// The server's message in an error body. In JSON, the message is the value of one of the usual keys, such as
    /// `message`, `detail`, `error_description`, `reason` or `title`, or the first message in `errors`. In other
    /// bodies, the message is the `Message` element of XML, or the first line of plain text. A body with a success
    /// status is an error body if it does not decode as the requested type, and has the key `error` or `errors` or
    /// decodes as ``ClientConfiguration/errorResponse``. The same rule applies to an element of a stream. An event
    /// named `error` is always an error body. If the message repeats the request's credentials, these credentials are
    /// redacted. The message is nil if the body is larger than 1 MiB.
    public var serverMessage: String? { details.serverMessage }
    /// The first line of an error body that is not JSON and has no message. If the body is HTML, such as a proxy's
    /// page, the property is the title of the page. The text contains no credentials.
    public var bodyLine: String? { details.bodyLine }
    /// The error body, decoded as the type ``ClientConfiguration/errorResponse``; nil if the body cannot be decoded.
    public var response: (any ErrorResponse)? { details.response }
    /// How many times the request was sent, including redirects and retries.
    public var attempts: Int? { details.attempts }
    /// One ``Attempt`` for each time the request was sent, in order; empty if nothing was sent.
    public var history: [Attempt] { details.history }
    /// A shell command that sends the request with `curl`; nil if no request could be built. The command contains a
    /// variable in place of each secret: `$TOKEN` for the credential of `Authorization`, and a variable with the
    /// secret's name, such as `$API_KEY`, for any other secret.
    public var curl: String? { details.makeCurl?() }
    /// The place in the body where decoding failed: `owner.name`, `items[3].id`.
    public var codingPath: String? { details.codingPath }
    /// The JSON at the place where decoding failed, or the JSON of an error body that has no message. The text is
    /// shortened and contains no credentials; it is nil if the body is larger than 1 MiB.
    public var fragment: String? { details.fragment }
    /// The error from another library that caused this error, if there is one. The underlying error is not redacted.
    public var underlying: (any Error)? { details.underlying }
}

extension APIError {
    // This initializer is not inlined, because over a hundred functions create an error, and each would contain code
    // for all details.
    @inline(never)
    package init(
        _ kind: Kind, _ message: String, fix: String? = nil, codingPath: String? = nil, fragment: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(
            details: Details(
                kind: kind, message: message, fix: fix, codingPath: codingPath, fragment: fragment,
                underlying: underlying))
    }

    /// Returns a copy of the error with a response's details added. If the error already contains a status,
    /// headers, a body or a request, the copy keeps them.
    ///
    /// - Parameter message: the server's message in a body with a success status.
    package func adding(
        _ response: Response<Data>, _ errorResponse: (any ErrorResponse)? = nil, message: String? = nil
    ) -> APIError {
        var details = details
        details.status = status ?? response.status
        if case .mock(let file?) = response.source { details.mock = file }
        details.headers = details.headers ?? response.headers
        details.body = body ?? Data(response.data.prefix(Self.maximumBodySize))
        details.request = request ?? Redaction.request(response.request)
        if let errorResponse {
            details.response = errorResponse
            details.serverMessage = errorResponse.message.isEmpty ? nil : errorResponse.message
            details.fieldErrors = Self.text(of: errorResponse.fieldErrors)
        }
        details.serverMessage = details.serverMessage ?? message
        if details.serverMessage == nil, !response.isSuccess {
            (details.serverMessage, details.bodyLine) =
                ServerMessage.find(in: response.data, type: response.headers[.contentType])
        }
        return APIError(details: details)
    }

    /// Returns a copy of the error with an additional note. If the error has no fix, the copy gets the given fix.
    package func adding(note: String, fix: String) -> APIError {
        var details = details
        details.message += "; " + note
        details.fix = details.fix ?? fix
        return APIError(details: details)
    }

    /// Returns the messages about fields as one text, such as `email is not an address; name is too short, must not
    /// contain digits`. Returns nil if there are no messages.
    private static func text(of fieldErrors: [String: [String]]) -> String? {
        if fieldErrors.isEmpty { return nil }
        return fieldErrors.ordered { $0.key < $1.key }.map {
            ServerMessage.text($0.value.joined(separator: ", "), about: $0.key)
        }.joined(separator: "; ")
    }
}

extension APIError: CustomStringConvertible, LocalizedError {
    /// All details of the failure, one per line, without credentials or environment secrets.
    public var description: String {
        let lines: [(String, String?)] = [
            ("route", route),
            ("environment", environment),
            ("request", request),
            ("came from", details.redirector),
            ("mock", mock.map(FilePath.display)),
            ("status", status.map { "\($0)" + (shownSize.map { ", \($0)" } ?? "") }),
            ("request id", requestID.map { String($0.unicodeScalars.prefix(200)) }),
            ("at", codingPath),
            ("json", fragment),
            ("server says", serverMessage?.printable),
            ("fields", details.fieldErrors?.printable),
            ("body", bodyLine.map { String($0.printable.unicodeScalars.prefix(200)) }),
            ("attempts", attempts.flatMap { $0 > 1 ? "\($0)\(outcomes)" : nil }),
            ("fix", fix),
        ]
        let texts = lines.compactMap { label, text in
            text.map { "\n  " + (label + ":").padding(toLength: 13, withPad: " ", startingAt: 0) + $0 }
        }
        return "\(kind): \(message)" + texts.joined()
    }

    /// The size of the response's body. Foundation on Linux drops the body of a redirect without a `Location`, so the
    /// size of such a body comes from the head of the response.
    private var shownSize: String? {
        guard let body else { return details.removedSize.map { "\($0) bytes" } }
        if body.isEmpty, let status, (301...308).contains(status), status != 304,
            request?.hasPrefix("HEAD ") == false,
            let length = headers[.contentLength].flatMap({ Int64($0) }), length > 0
        {
            return "\(length) bytes, which Foundation dropped"
        }
        return "\(body.count) bytes"
    }

    private var outcomes: String {
        history.isEmpty ? "" : " (" + history.map(\.description).joined(separator: ", ") + ")"
    }

    /// ``serverMessage`` if there is one, with its control characters escaped; otherwise ``message``.
    public var errorDescription: String? { serverMessage?.printable ?? message }

    /// The ``fix``.
    public var recoverySuggestion: String? { fix }
}

extension APIError.Kind: CustomStringConvertible {
    /// The kind in words, such as `timed out` or `status 404`.
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
        case .authorization: "authorization"
        }
    }
}

extension APIError: CustomReflectable {
    /// The details that the description leaves out: the headers without credentials, and the types of ``response`` and
    /// ``underlying``.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "headers": details.shownHeaders as Any, "response": response.map { "\(type(of: $0))" } as Any,
                "underlying": underlying.map { "\(type(of: $0))" } as Any,
            ], displayStyle: .struct)
    }
}

extension APIError {
    /// Returns a copy of the error without its unredacted parts: the body, the decoded body, the underlying error and
    /// the command. The headers are redacted.
    ///
    /// - Parameter secrets: the secrets of the call.
    func withoutContents(_ secrets: CallSecrets) -> APIError {
        var details = details
        details.removedSize = body.map { Int64($0.count) }
        (details.body, details.response, details.underlying) = (nil, nil, nil)
        details.makeCurl = nil
        details.headers = details.headers.map { headers in
            HTTPHeaders(headers.map { HTTPHeaders.Field($0.name, secrets.hide($0.shownValue)) })
        }
        return APIError(details: details)
    }

    /// Returns a copy of the error whose texts contain no secrets and no characters that could control a terminal or
    /// forge a line in a log.
    ///
    /// - Parameter secrets: the secrets of the call.
    package func redacted(by secrets: CallSecrets) -> APIError {
        let (hidden, shown) = (secrets.withoutNamed, secrets.shown)
        var details = details
        // Messages about files have several lines. Texts of servers and of other code must not add lines.
        let isOfFiles = [.environment, .mock, .invalidRoute].contains(kind)
        details.message = isOfFiles ? hidden(message).printableLines : secrets.message(message).printable
        (details.fix, details.route) = (fix.map(shown), route.map(shown))
        (details.environment, details.redirector) = (environment.map(shown), details.redirector.map(shown))
        (details.request, details.requestID) = (request.map(shown), requestID.map(shown))
        (details.codingPath, details.fragment) = (codingPath.map(shown), fragment.map(shown))
        // An app may show the server's message to people, so the message keeps its line breaks until it is printed.
        details.bodyLine = details.bodyLine.map { secrets.message($0).printable }
        details.serverMessage = serverMessage.map(secrets.message)
        details.fieldErrors = details.fieldErrors.map(secrets.message)
        details.history = history.map { $0.mapTexts(shown) }
        details.shownHeaders = details.headers.map { hidden($0.description).printableLines }
        details.mock = mock.map { file in
            let path = hidden(file.path)
            return path == file.path ? file : URL(fileURLWithPath: path)
        }
        return APIError(details: details)
    }
}
