#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// One call of a scope: which route, what was sent, and what answered. See ``Mocks/calls``.
public struct LoggedCall: Sendable {
    private let origin: Route
    /// The request as it was sent last; nil when the route could not become one.
    public internal(set) var request: URLRequest?
    /// Who answered; nil when nobody did.
    public internal(set) var source: ResponseSource?
    /// The status of the answer.
    public internal(set) var status: Int?
    /// Why the call failed.
    public internal(set) var error: APIError?
    /// When it began: the time since the scope was made, by the scope's clock.
    public let started: Duration
    /// When its answer was there, by the same clock; nil while it is under way.
    public internal(set) var ended: Duration?

    init(route: Route, started: Duration) {
        origin = route
        self.started = started
    }

    /// The name of the route's mock, or else of the route.
    public var name: String { origin.mock?.rawValue ?? origin.name }

    /// The name of the route: ``Route/name``.
    public var route: String { origin.name }
}

extension LoggedCall: CustomStringConvertible {
    /// The route, and what answered.
    public var description: String {
        let outcome = error.map { "\($0.kind)" } ?? status.map { "\($0)" } ?? "under way"
        return "\(route) → \(outcome)"
    }
}

extension LoggedCall: CustomReflectable {
    /// What is known of the call, credentials left out.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": name, "route": route, "request": request.map(Redaction.request) as Any, "source": source as Any,
                "status": status as Any, "error": error as Any, "started": started, "ended": ended as Any,
            ], displayStyle: .struct)
    }
}
