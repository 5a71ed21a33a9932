/// The settings that few routes have, behind one reference, so that a route without them stays small.
final class RouteExtras: Sendable {
    struct Values: Sendable {
        var retry: RetryPolicy?
        var idempotencyKey: IdempotencyKey?
        var idleTimeout: Duration?
        var redirects = RedirectPolicy.follow
        var baseURLKey: String?
        var isWrapped = true
        var pageItems: Set<String>?
    }

    let values: Values

    @inline(never)
    init(_ values: Values) {
        self.values = values
    }
}

extension Route {
    // Not inlined: each of the properties below would copy all values.
    private var values: RouteExtras.Values {
        @inline(never) get { extras?.values ?? RouteExtras.Values() }
        @inline(never) set { extras = RouteExtras(newValue) }
    }

    /// How often a call is sent again after a failure; nil means the environment's or the client's policy. This policy
    /// also applies to methods that are not idempotent, such as POST: set it only where sending twice does no harm.
    public var retry: RetryPolicy? {
        get { extras?.values.retry }
        set { values.retry = newValue }
    }

    /// How long a call may wait for the next bytes of the response; nil means the client's idle timeout.
    public var idleTimeout: Duration? {
        get { extras?.values.idleTimeout }
        set { values.idleTimeout = newValue }
    }

    /// Whether redirects are followed; ``RedirectPolicy/follow`` by default.
    public var redirects: RedirectPolicy {
        get { extras?.values.redirects ?? .follow }
        set { values.redirects = newValue }
    }

    /// The environment's key for the base URL of a route to another server than the client's; nil means the client's
    /// base URL.
    public var baseURLKey: String? {
        get { extras?.values.baseURLKey }
        set { values.baseURLKey = newValue }
    }

    /// Whether the client's ``ClientConfiguration/wrapper`` is around the value of the response; true by default.
    public var isWrapped: Bool {
        get { extras?.values.isWrapped ?? true }
        set { values.isWrapped = newValue }
    }

    /// The names of the query items that tell this page of a list from the others; nil for the first page, and for what
    /// is not a page.
    package var pageItems: Set<String>? {
        get { extras?.values.pageItems }
        set { values.pageItems = newValue }
    }

    package var idempotencyKey: IdempotencyKey? {
        get { extras?.values.idempotencyKey }
        set { values.idempotencyKey = newValue }
    }
}

/// The value of `Idempotency-Key` for a route.
package enum IdempotencyKey: Equatable, Sendable {
    /// A new random key for each call.
    case random
    case fixed(String)
}
