import FingerpostFiles
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What a call came back with: the decoded value, and everything around it.
///
/// ``APIClient/send(_:as:)`` gives the value alone; ``APIClient/response(for:as:)`` gives all of this. Transports and
/// middleware pass `Response<Data>`, whose value is the body.
public struct Response<Value: Sendable>: Sendable {
    /// The decoded body.
    public let value: Value
    /// The status code (RFC 9110 section 15).
    public let status: Int
    public let headers: HTTPHeaders
    /// The body as it came.
    public internal(set) var data: Data
    /// The request as it was sent last, after middleware and redirects.
    public internal(set) var request: URLRequest
    public let source: ResponseSource
    /// How often the request was sent: 1, and one more for every redirect and every retry.
    public internal(set) var attempts: Int
    /// From the call to the answer, retries and redirects included and decoding not.
    public internal(set) var duration: Duration

    /// True for a status of 200…299 (RFC 9110 section 15.3).
    public var isSuccess: Bool { status.isSuccessStatus }

    /// The same response with another value.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Response<Other> {
        Response<Other>(
            value: try transform(value), status: status, headers: headers, data: data, request: request, source: source,
            attempts: attempts, duration: duration)
    }
}

extension Response where Value == Void {
    /// The head of a response, as a ``Transport`` hands it to a ``BodySink``.
    public init(status: Int, headers: HTTPHeaders = [:], request: URLRequest, source: ResponseSource = .network) {
        self.init(
            value: (), status: status, headers: headers, data: Data(), request: request, source: source, attempts: 1,
            duration: .zero)
    }
}

extension Response where Value == Data {
    /// The response without its body.
    var head: Response<Void> { Response<Void>(status: status, headers: headers, request: request, source: source) }

    init(_ head: Response<Void>, data: Data) {
        self.init(status: head.status, headers: head.headers, data: data, request: head.request, source: head.source)
    }

    /// A response as a ``Transport`` gives it.
    public init(
        status: Int, headers: HTTPHeaders = [:], data: Data, request: URLRequest, source: ResponseSource = .network
    ) {
        self.init(
            value: data, status: status, headers: headers, data: data, request: request, source: source, attempts: 1,
            duration: .zero)
    }
}

extension Response: CustomStringConvertible {
    /// The status, who answered, and the request's method and URL without credentials.
    public var description: String {
        "\(status) from \(source) to \(Redaction.request(request))"
    }
}

extension Response: CustomReflectable {
    /// Everything but the credentials of the request and of the headers. The body is shown as the value alone.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "value": value, "status": status, "headers": headers.description, "data": "\(data.count) bytes",
                "request": Redaction.request(request), "source": source, "attempts": attempts, "duration": duration,
            ], displayStyle: .struct)
    }
}
