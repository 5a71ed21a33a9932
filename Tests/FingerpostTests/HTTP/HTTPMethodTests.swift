import CallSupport

@testable import Fingerpost

@Suite(.inTurn) struct HTTPMethodTests {
    private static let methods: [(HTTPMethod, isIdempotent: Bool)] = [
        (.get, true), (.head, true), (.put, true), (.delete, true), ("OPTIONS", true), ("TRACE", true),
        ("QUERY", true), ("GET", true), ("Get", false), (.post, false), (.patch, false), ("CONNECT", false),
        ("PURGE", false),
    ]

    @Test func `Methods that can be repeated safely are idempotent`() {
        for (method, isIdempotent) in Self.methods { #expect(method.isIdempotent == isIdempotent, "\(method)") }
    }
}
