/// The settings that few routes have, behind one reference, so that a route without them stays small.
final class RouteExtras: Sendable {
    struct Values: Sendable {
        var retry: RetryPolicy?
        var idempotencyKey: IdempotencyKey?
        var idleTimeout: Duration?
        var redirects = RedirectPolicy.follow
        var baseURLKey: String?
        var revalidates = true
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
    @inline(never)
    private mutating func change(_ change: (inout RouteExtras.Values) -> Void) {
        var values = extras?.values ?? RouteExtras.Values()
        change(&values)
        extras = RouteExtras(values)
    }

    /// How often a call is sent again after a failure; nil means the environment's or the client's policy. This policy
    /// also applies to methods that are not idempotent, such as POST: set it only where sending twice does no harm.
    public var retry: RetryPolicy? {
        get { extras?.values.retry }
        set { change { $0.retry = newValue } }
    }

    /// How long a call may wait for the next bytes of the response; nil means the client's idle timeout.
    public var idleTimeout: Duration? {
        get { extras?.values.idleTimeout }
        set { change { $0.idleTimeout = newValue } }
    }

    /// Whether redirects are followed; ``RedirectPolicy/follow`` by default.
    public var redirects: RedirectPolicy {
        get { extras?.values.redirects ?? .follow }
        set { change { $0.redirects = newValue } }
    }

    /// The environment's key for the base URL of a route to another server than the client's; nil means the client's
    /// base URL.
    public var baseURLKey: String? {
        get { extras?.values.baseURLKey }
        set { change { $0.baseURLKey = newValue } }
    }

    /// Whether the client may ask if its kept answer is still the same; true by default: see ``Revalidation``.
    public var revalidates: Bool {
        get { extras?.values.revalidates ?? true }
        set { change { $0.revalidates = newValue } }
    }

    /// Whether the client's ``ClientConfiguration/wrapper`` is around the value of the response; true by default.
    public var isWrapped: Bool {
        get { extras?.values.isWrapped ?? true }
        set { change { $0.isWrapped = newValue } }
    }

    /// The names of the query items that tell this page of a list from the others; nil for the first page, and for what
    /// is not a page.
    package internal(set) var pageItems: Set<String>? {
        get { extras?.values.pageItems }
        set { change { $0.pageItems = newValue } }
    }

    var idempotencyKey: IdempotencyKey? {
        get { extras?.values.idempotencyKey }
        set { change { $0.idempotencyKey = newValue } }
    }
}

/// The value of `Idempotency-Key` for a route.
enum IdempotencyKey: Hashable, Sendable {
    /// A new random key for each call.
    case random
    case fixed(String)
}
