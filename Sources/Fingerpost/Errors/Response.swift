import FingerpostFiles
public import Foundation

/// The result of a call: the decoded value, and the details of the response.
///
/// ``APIClient/send(_:as:)`` returns only the value; ``APIClient/response(for:as:)`` returns the whole `Response`.
/// Transports and middleware pass `Response<Data>`, whose value is the body.
public struct Response<Value: Sendable>: Sendable {
    /// The body after decoding.
    public let value: Value
    @Boxed private var details: ResponseDetails

    /// The status code (RFC 9110 section 15).
    public var status: Int { details.status }
    /// The header fields of the response.
    public var headers: HTTPHeaders { details.headers }
    /// The body as received.
    public var data: Data { details.data }
    /// The request that was answered, including the changes made by middleware and redirects.
    public var request: URLRequest { details.request }
    /// Whether a server or a mock answered.
    public var source: ResponseSource { details.source }
    /// How many times the request was sent: once, plus once for each redirect and each retry.
    public var attempts: Int { details.attempts }
    /// The time from the start of the call to the response, including retries and redirects but not decoding.
    public var duration: Duration { details.duration }
    /// The call that received the response; nil for a response that no client received.
    var call: (any CallEvidence)? { details.call }
    /// The position of the page in its list; nil for a response that no list has loaded.
    package var page: (any AnyObject & Sendable)? {
        get { details.page }
        set { details.page = newValue }
    }

    mutating func update(_ change: (inout ResponseDetails) -> Void) { change(&details) }

    /// One ``Attempt`` for each time the request was sent, in order; empty if middleware answered instead.
    public var history: [Attempt] { Array((call?.history ?? []).prefix(attempts)) }

    /// True if the status is 200…299 (RFC 9110 section 15.3).
    package var isSuccess: Bool { status.isSuccessStatus }

    /// Returns a copy of the response with a different value.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Response<Other> {
        Response<Other>(value: try transform(value), details: details)
    }
}

extension Response where Value == Void {
    /// Creates the head of a response (everything but the body). A ``Transport`` passes this head to a ``BodySink``.
    public init(status: Int, headers: HTTPHeaders = [:], request: URLRequest, source: ResponseSource = .network) {
        self.init(
            value: (),
            details: ResponseDetails(status: status, headers: headers, data: Data(), request: request, source: source))
    }
}

extension Response where Value == Data {
    /// The response without its body.
    package var head: Response<Void> {
        Response<Void>(status: status, headers: headers, request: request, source: source)
    }

    /// Returns the same response with a body that arrived after the head.
    package func with(body: Data) -> Self {
        var details = details
        details.data = body
        return Self(value: body, details: details)
    }

    package init(_ head: Response<Void>, data: Data) {
        self.init(status: head.status, headers: head.headers, data: data, request: head.request, source: head.source)
    }

    /// Creates a response with a body, in the form that a ``Transport`` returns.
    public init(
        status: Int, headers: HTTPHeaders = [:], data: Data, request: URLRequest, source: ResponseSource = .network
    ) {
        self.init(
            value: data,
            details: ResponseDetails(status: status, headers: headers, data: data, request: request, source: source))
    }
}

extension Response: CustomStringConvertible {
    /// The status, the source, and the request's method and URL without credentials.
    public var description: String {
        "\(status) from \(source) to \(secrets.hide(Redaction.request(request)))".printable
    }

    private var secrets: CallSecrets { call?.secrets ?? .inForce }
}

extension Response: CustomReflectable {
    /// All properties, without the credentials in the request and the headers. For ``data``, and for a value that is
    /// the body itself, only the size is shown.
    public var customMirror: Mirror {
        let shown: Any =
            switch value {
            case let data as Data: "\(data.count) bytes"
            case let text as String: "\(text.utf8.count) bytes"
            default: value
            }
        return Mirror(
            self, children: details.children(showing: shown, history: history, secrets),
            displayStyle: .struct)
    }
}

/// The outcome of sending a request: a response, or an error.
package typealias Outcome = Result<Response<Data>, any Error>

/// The properties of a response, other than its value.
struct ResponseDetails: Sendable {
    let status: Int
    let headers: HTTPHeaders
    var data: Data
    var request: URLRequest
    let source: ResponseSource
    var attempts = 1
    var duration = Duration.zero
    var call: (any CallEvidence)?
    var page: (any AnyObject & Sendable)?

    /// The properties that mirrors show. This function is not generic, so that the app contains it once and not for
    /// each type of value.
    fileprivate func children(
        showing value: Any, history: [Attempt], _ secrets: CallSecrets
    ) -> KeyValuePairs<String, Any> {
        [
            "value": value, "status": status, "headers": secrets.hide(headers.description),
            "data": "\(data.count) bytes", "request": secrets.hide(Redaction.request(request)),
            "source": source, "history": history, "duration": duration,
        ]
    }
}

/// Where a response came from.
public enum ResponseSource: Sendable, Equatable {
    /// A server.
    case network
    /// A mock. The associated value is the file in `Mocks/` that the body came from; it is nil if the response has no
    /// body, or if the body was set in code.
    case mock(URL?)
}

extension ResponseSource: CustomStringConvertible {
    /// The source in words, such as "the mock users.list.json".
    public var description: String {
        switch self {
        case .network: "the network"
        case .mock(nil): "a mock without a file"
        case .mock(let file?): "the mock \(file.lastPathComponent.printable)"
        }
    }
}

/// The data that a response keeps about its call.
protocol CallEvidence: AnyObject, Sendable {
    /// The secrets of the call.
    var secrets: CallSecrets { get }
    /// The attempts so far, without secrets.
    var history: [Attempt] { get }
    /// The account of the call; nil if the account is unknown.
    var account: String? { get }
}
