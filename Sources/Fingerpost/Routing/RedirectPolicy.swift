/// Whether the client follows the redirects of a route.
public enum RedirectPolicy: String, Hashable, Sendable {
    /// Redirects are followed. This is the default.
    case follow
    /// A redirect is the route's response: its status, such as 302, is not an error.
    case manual
}
