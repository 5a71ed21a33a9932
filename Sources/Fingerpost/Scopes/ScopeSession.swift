/// Remembers, while a scope runs, the calls, the responses that a test sets, and what must be reported at the end.
/// `FingerpostMocks` contains the implementation. An app without that module remembers nothing.
///
/// A scope and the copies of it with other settings share one session.
package protocol ScopeSession: AnyObject, Sendable {
    /// True while work runs inside the scope.
    var isOpen: Bool { get }

    /// True when the test of the scope has ended.
    var isClosed: Bool { get }

    /// Called when work begins to run inside the scope.
    func enter()

    /// Called when the work has ended.
    ///
    /// - Parameter scope: the scope, nested in the one that the work came from.
    func leave(_ scope: APIScope)

    /// Called for each call that begins inside the scope.
    func began(_ call: CallRecord)

    /// Creates the object that the session keeps for a call, beside the record.
    func note() -> (any AnyObject & Sendable)?

    /// Returns the session's own object in place of an object that a client shares, so that tests with a common client
    /// do not share its object. The result is the same each time.
    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object
}

/// Remembers nothing.
final class NoSession: ScopeSession {
    var isOpen: Bool { false }
    var isClosed: Bool { false }
    func enter() {}
    func leave(_ scope: APIScope) {}
    func began(_ call: CallRecord) {}
    func note() -> (any AnyObject & Sendable)? { nil }
    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object { shared }
}
