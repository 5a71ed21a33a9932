import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// One call in the log of a scope: its route, the request and the outcome. See ``Mocks/calls``.
public struct LoggedCall: Sendable {
    private let origin: Route
    /// The call's environment, whose secrets are not shown.
    var environment: Environment?
    /// The values of the headers that the client's authorization added. They are not shown.
    var credentials: [String] = []
    /// The mock that was asked; nil if no mock was.
    var mock: MockName?
    /// The last request sent; before any request is sent, the request that was built. If no request could be built,
    /// `request` is nil.
    public internal(set) var request: URLRequest?
    /// How often the request was sent, including redirects and retries.
    public internal(set) var attempts = 0
    /// The attempts, except one that brought the response.
    var earlier: [Attempt] = []
    /// The times of the attempt that brought the response; nil if `earlier` contains it.
    var timing: Attempt.Timing?
    /// Whether the network or a mock answered; nil when the call has no response.
    public internal(set) var source: ResponseSource?
    /// The status of the response; nil when the call has no response.
    public internal(set) var status: Int?
    /// Why the call failed; nil if the call succeeded or is still in progress.
    public internal(set) var error: APIError?
    /// When the call started: the time since the scope was created, by the scope's clock.
    public let started: Duration
    /// When the response arrived or the call failed, by the scope's clock; nil while the call is in progress.
    public internal(set) var ended: Duration?

    /// The type that the call decodes; `Data` if the call returns the body. It is nil until the response is decoded. A
    /// test fails if the route's ``Routable/responseType`` is another type.
    public internal(set) var decodedType: Any.Type?

    package init(route: Route, started: Duration) {
        origin = route
        self.started = started
    }

    /// Every time the request was sent, in order; empty while the call is in progress.
    public var history: [Attempt] {
        if let error { return error.history }
        guard let timing, let request else { return earlier }
        return earlier + [Attempt(request, status: status, timing).mapTexts(redactor.redact)]
    }

    /// A line for a shell that sends the last request with `curl`, with `$TOKEN` in place of each secret; nil if no
    /// request could be built.
    public var curl: String? { error?.curl ?? request.map { CurlCommand($0, redactor).text } }

    /// The name of the mock that answered, or else of the mock that the route sets; if there is neither,
    /// ``route``.
    public var name: String {
        if let mock = mock ?? origin.mock, !mock.isUnmocked { return mock.rawValue }
        return route
    }

    /// The value that the route was created from; nil for a route that was not created from a router.
    package var router: (any RouteConvertible)? { origin.origin }

    /// The problem that the call decodes another type than its route declares; nil if there is none. A call that
    /// returns the body, or ignores it, decodes no type. An optional, which is nil for a response without a body,
    /// counts as the type that it wraps.
    var typeProblem: String? {
        func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any Absence.Type)?.wrapped ?? type }
        guard let declared = origin.responseType, let decodedType, unwrapped(decodedType) != unwrapped(declared),
            decodedType != Data.self, decodedType != String.self, decodedType != NoContent.self
        else { return nil }
        return "\(route) declares the response type \(declared), but the call decodes \(decodedType); correct "
            + "the declaration, or the type that is decoded"
    }

    /// The name of the route: ``Route/name``, without secrets. Use ``name`` to find the calls of a mock.
    public var route: String { redactor.redact(origin.name).printable }

    var redactor: SecretRedactor {
        SecretRedactor(
            environment,
            credentials: (request.map(Redaction.credentials(of:)) ?? origin.credentials)
                + credentials.flatMap { Redaction.credentials(inHeader: $0) })
    }
}

extension LoggedCall: CustomStringConvertible {
    /// The route and the outcome, such as `API.user → 200`.
    public var description: String {
        let outcome = error.map { "\($0.kind)" } ?? status.map { "\($0)" } ?? "under way"
        return "\(route) → \(outcome)"
    }
}

extension LoggedCall: CustomReflectable {
    /// The properties of the call, with credentials redacted.
    public var customMirror: Mirror {
        let redactor = redactor
        return Mirror(
            self,
            children: [
                "name": redactor.redact(name), "route": route,
                "request": request.map { redactor.redact(Redaction.request($0)) } as Any, "source": source as Any,
                "status": status as Any, "error": error as Any, "history": history, "started": started,
                "ended": ended as Any,
                "decodedType": decodedType as Any,
            ], displayStyle: .struct)
    }
}
