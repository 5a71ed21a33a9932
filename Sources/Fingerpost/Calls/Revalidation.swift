/// How a client asks whether an answer that it has kept is still the same.
///
/// ```swift
/// configuration.revalidation = .memory(maximumSize: 16 << 20)
/// ```
///
/// A successful response to a GET that has an `ETag` or `Last-Modified` is kept in memory. The next call asks with
/// `If-None-Match` or `If-Modified-Since` (RFC 9110 section 13.1); if the server answers 304, the call has the kept body, and
/// ``Response/source`` is ``ResponseSource/revalidated``. The client never answers without asking: for that, give
/// ``URLSessionTransport`` a session with a `URLCache`.
///
/// A body belongs to its URL, to the credentials that it was asked with, and to the headers that the response names in
/// `Vary`. Not kept are responses with `Cache-Control: no-store` or `Vary: *`, responses after a redirect, and what a
/// download or a stream receives. Calls that set a condition or a range of their own, and routes with
/// ``Route/revalidates(_:)`` false, are sent as they are. Of one address, at most 32 bodies are kept. Each client has a
/// store of its own, also one that ``APIClient/with(_:)`` returned, and so has each scope.
///
/// A ``Transport`` of your own, and a session that stores cookies or credentials, can add credentials which the client
/// does not see. With them, an answer is not kept if it varies by `Cookie`, `Authorization` or another header of a
/// credential that the request does not have, and a response with `Set-Cookie` drops what is kept of its origin. If your
/// transport adds a credential to requests, its servers must name the header in `Vary`; otherwise set it in the client's
/// ``ClientConfiguration/authorization``, or turn revalidation off.
public struct Revalidation: Hashable, Sendable {
    let maximumSize: Int

    /// Keeps bodies in memory.
    ///
    /// - Parameter maximumSize: the size of all bodies together, in bytes. The bodies that were not used for longest are
    ///   dropped.
    public static func memory(maximumSize: Int) -> Revalidation { Revalidation(maximumSize: maximumSize) }
}
