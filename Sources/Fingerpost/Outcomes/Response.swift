import FingerpostFiles
public import Foundation

/// The result of a call: the decoded value, and the details of the response.
///
/// ``APIClient/send(_:as:progress:)`` returns only the value; ``APIClient/response(for:as:progress:)`` returns the
/// whole `Response`. Transports and middleware pass `Response<Data>`, whose value is the body.
public struct Response<Value: Sendable>: Sendable {
    /// The body after decoding.
    public let value: Value
    /// The status code (RFC 9110 section 15).
    public let status: Int
    /// The header fields of the response.
    public let headers: HTTPHeaders
    /// The body as received.
    public internal(set) var data: Data
    /// The request that was answered, including the changes made by middleware and redirects.
    public internal(set) var request: URLRequest
    /// Whether a server or a mock answered.
    public let source: ResponseSource
    /// How many times the request was sent: once, plus once for each redirect and each retry.
    public internal(set) var attempts: Int
    /// The time from the start of the call to the response, including retries and redirects but not decoding.
    public internal(set) var duration: Duration
    /// The secrets of the call; nil for a response that no client received.
    var secrets: CallSecrets?
    /// The attempts, except one that brought this response.
    var earlier: [Attempt] = []
    /// The times of the attempt that brought this response; nil if `earlier` contains it.
    var timing: Attempt.Timing?
    /// True if the server rejected a token that the client can replace, so that the request is sent again.
    package internal(set) var asksForNewToken = false

    /// Every time the request was sent, in order; empty if middleware answered instead.
    public var history: [Attempt] {
        earlier + (timing.map { [Attempt(request, status: status, $0).mapTexts(redactor.redact)] } ?? [])
    }

    /// True if the status is 200…299 (RFC 9110 section 15.3).
    public var isSuccess: Bool { status.isSuccessStatus }

    /// Returns a copy of the response with a different value.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Response<Other> {
        Response<Other>(
            value: try transform(value), status: status, headers: headers, data: data, request: request, source: source,
            attempts: attempts, duration: duration, secrets: secrets, earlier: earlier, timing: timing)
    }
}

extension Response where Value == Void {
    /// Creates the head of a response (everything but the body). A ``Transport`` passes this head to a ``BodySink``.
    public init(status: Int, headers: HTTPHeaders = [:], request: URLRequest, source: ResponseSource = .network) {
        self.init(
            value: (), status: status, headers: headers, data: Data(), request: request, source: source, attempts: 1,
            duration: .zero)
    }
}

extension Response where Value == Data {
    /// The response without its body.
    package var head: Response<Void> {
        Response<Void>(status: status, headers: headers, request: request, source: source)
    }

    /// The same response with the body that came after its head.
    package func with(body: Data) -> Self {
        Self(
            value: body, status: status, headers: headers, data: body, request: request, source: source,
            attempts: attempts, duration: duration, secrets: secrets, earlier: earlier, timing: timing)
    }

    init(_ head: Response<Void>, data: Data) {
        self.init(status: head.status, headers: head.headers, data: data, request: head.request, source: head.source)
    }

    /// Creates a response with a body, in the form that a ``Transport`` returns.
    public init(
        status: Int, headers: HTTPHeaders = [:], data: Data, request: URLRequest, source: ResponseSource = .network
    ) {
        self.init(
            value: data, status: status, headers: headers, data: data, request: request, source: source, attempts: 1,
            duration: .zero)
    }
}

extension Response {
    /// The credentials in the requests that led to the response.
    package var sentCredentials: [String] {
        secrets?.credentials(with: request) ?? Redaction.credentials(of: request)
    }

    /// Why the response may repeat a secret of a request that is not known; nil if all requests were searched.
    package var unsearchedRequest: String? {
        if let secrets { secrets.unsearched(with: request) } else { Redaction.unsearched(request) }
    }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible {
    /// The status, the source, and the request's method and URL without credentials.
    public var description: String {
        redactor.redact("\(status) from \(source) to \(Redaction.request(request))").printable
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    private var isSearched: Bool {
        unsearchedRequest == nil && BodyCredentials(response: data, type: headers[.contentType]).unsearched == nil
    }

    private var redactor: SecretRedactor {
        secrets?.redactor(with: self)
            ?? SecretRedactor(
                credentials: Redaction.credentials(of: request) + Redaction.credentials(of: headers, body: data))
    }
}

extension Response: CustomReflectable {
    /// All properties, without the credentials in the request and the headers. For ``data``, and for a value that is
    /// the body itself, only the size is shown.
    public var customMirror: Mirror {
        let redactor = redactor
        let shown: Any =
            switch value {
            case let data as Data: "\(data.count) bytes"
            case let text as String where isSearched: redactor.redact(text)
            case let text as String: "\(text.utf8.count) bytes"
            default: value
            }
        return Mirror(
            self,
            children: [
                "value": shown, "status": status, "headers": redactor.redact(headers.description),
                "data": "\(data.count) bytes", "request": redactor.redact(Redaction.request(request)),
                "source": source, "history": history, "duration": duration,
            ], displayStyle: .struct)
    }
}

/// Where a response came from.
public enum ResponseSource: Sendable, Hashable {
    /// A server.
    case network
    /// A mock. The associated value is the file in `Mocks/` that the body came from; it is nil if the response has no
    /// body, or if the body was set in code.
    case mock(URL?)
    /// A server, which said that the body that the client has kept is still the same: see
    /// ``ClientConfiguration/revalidation``.
    case revalidated
}

extension ResponseSource: CustomStringConvertible {
    /// The source as messages name it, such as "the mock users.list.json".
    public var description: String {
        switch self {
        case .network: "the network"
        case .mock(nil): "a mock without a file"
        case .mock(let file?): "the mock \(file.lastPathComponent.printable)"
        case .revalidated: "the kept answer that the server confirmed"
        }
    }
}
