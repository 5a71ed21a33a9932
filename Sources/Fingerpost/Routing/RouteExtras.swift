import FingerpostFiles

/// The settings that few routes have, behind one reference, so that a route without them stays small.
struct RouteExtras: Sendable {
    var retry: RetryPolicy?
    var idempotencyKey: IdempotencyKey?
    var idleTimeout: Duration?
    var baseURLKey: String?
    var pageItems: Set<String>?
}

extension Route {
    // Not inlined: each of the properties below would copy all values.
    private var values: RouteExtras {
        @inline(never) get { extras?.wrappedValue ?? RouteExtras() }
        @inline(never) set { extras = Boxed(wrappedValue: newValue) }
    }

    /// How often a call is sent again after a failure; nil means the environment's or the client's policy. This policy
    /// also applies to methods that are not idempotent, such as POST: set it only where sending twice does no harm.
    public var retry: RetryPolicy? {
        get { extras?.wrappedValue.retry }
        set { values.retry = newValue }
    }

    /// How long a call may wait for the next bytes of the response; nil means the client's idle timeout.
    public var idleTimeout: Duration? {
        get { extras?.wrappedValue.idleTimeout }
        set { values.idleTimeout = newValue }
    }

    /// The environment's key for the base URL of a route to another server than the client's; nil means the client's
    /// base URL.
    public var baseURLKey: String? {
        get { extras?.wrappedValue.baseURLKey }
        set { values.baseURLKey = newValue }
    }

    /// The names of the query items that tell this page of a list from the others; nil for the first page, and for what
    /// is not a page.
    package var pageItems: Set<String>? {
        get { extras?.wrappedValue.pageItems }
        set { values.pageItems = newValue }
    }

    package var idempotencyKey: IdempotencyKey? {
        get { extras?.wrappedValue.idempotencyKey }
        set { values.idempotencyKey = newValue }
    }
}

/// The value of `Idempotency-Key` for a route.
package enum IdempotencyKey: Equatable, Sendable {
    /// A new random key for each call.
    case random
    case fixed(String)
}
