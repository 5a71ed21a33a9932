/// Whether a route is sent with the client's ``Authorization``.
///
/// The headers of ``ClientConfiguration/headers`` that are credentials are sent to the base URL's origin whatever the
/// policy, and to other origins with the policy ``required``.
public enum AuthorizationPolicy: String, Sendable, Hashable {
    /// The credentials are never sent. Use this policy for routes that obtain credentials (`login`) or need none.
    case none
    /// The credentials are sent if the client has any, and only to the base URL's origin. This is the default.
    case optional
    /// The credentials are always sent, to any origin. If the client has no credentials and the route sets no
    /// `Authorization` header, the call fails and nothing is sent.
    case required
}
