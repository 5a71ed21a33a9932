/// Whether a route is sent with the client's ``Authorization``.
public enum AuthorizationPolicy: String, Sendable, Hashable {
    /// Without it: for routes that make the credentials (`login`), or that need none.
    case none
    /// With it where the client has one; the default. It is not sent to another origin than the base URL's.
    case optional
    /// Not without it, wherever the route leads: a client that has none fails the call, and nothing is sent.
    case required
}
