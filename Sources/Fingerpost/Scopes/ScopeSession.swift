/// Stores the calls of a scope, the responses that a test sets, and the errors to report when the test ends.
/// `FingerpostMocks` contains the implementation. An app without that module stores nothing.
///
/// A scope and its copies with other settings share one session.
package protocol ScopeSession: AnyObject, Sendable {
    /// True while work runs inside the scope.
    var isOpen: Bool { get }

    /// True when the test of the scope has ended.
    var isClosed: Bool { get }

    /// Called when work begins to run inside the scope.
    func enter()

    /// Called when work inside the scope has ended.
    ///
    /// - Parameter scope: the scope, nested in the scope of the code that started the work.
    func leave(_ scope: APIScope)

    /// Called for each call that begins inside the scope.
    func began(_ call: CallRecord)

    /// Creates the session's object for a call. The record of the call holds this object.
    func note() -> (any AnyObject & Sendable)?

    /// Returns the object that the session uses in place of `shared`. Without this object, tests that share a client
    /// would also share the client's retry budget, for example. If this method is called again with the same object, it
    /// returns the same result.
    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object
}

/// A session that stores nothing.
final class NoSession: ScopeSession {
    var isOpen: Bool { false }
    var isClosed: Bool { false }
    func enter() {}
    func leave(_ scope: APIScope) {}
    func began(_ call: CallRecord) {}
    func note() -> (any AnyObject & Sendable)? { nil }
    func own<Object: AnyObject & Sendable>(_ shared: Object, _ make: () -> Object) -> Object { shared }
}
