import CallSupport

@Suite(.inTurn) struct HTTPMethodTests {
    private static let methods: [(HTTPMethod, isIdempotent: Bool)] = [
        (.get, true), (.head, true), (.put, true), (.delete, true), (.options, true), (.trace, true), (.query, true),
        ("GET", true), ("Get", false), (.post, false), (.patch, false), (.connect, false), ("PURGE", false),
    ]

    @Test(arguments: methods)
    func `Methods that can be repeated safely are idempotent`(method: HTTPMethod, isIdempotent: Bool) {
        #expect(method.isIdempotent == isIdempotent)
    }
}
