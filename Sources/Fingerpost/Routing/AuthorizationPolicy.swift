/// Whether a route is sent with the client's ``Authorization``.
public enum AuthorizationPolicy: String, Sendable, Hashable {
    /// Never sent. Use it for routes that obtain credentials (`login`) or need none.
    case none
    /// Sent when the client has one, and only to the base URL's origin. The default.
    case optional
    /// Always sent, to any origin. If the client has no credentials and the route sets no `Authorization` header, the
    /// call fails and nothing is sent.
    case required
}
