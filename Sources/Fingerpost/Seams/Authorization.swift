import Foundation

/// The credentials of a client, set in ``ClientConfiguration/authorization``. The route's ``AuthorizationPolicy``
/// decides whether the credentials are sent.
///
/// ```swift
/// configuration.authorization = .bearer(token)
/// configuration.authorization = .dynamic { await session.token.map { .bearer($0) } }
/// ```
///
/// Descriptions, mirrors and errors never contain the credentials.
public struct Authorization: Sendable {
    /// A header and its value.
    struct Header: Sendable {
        var name: HTTPHeaders.Name
        var value: String
    }

    /// Creates the header for one call; returns nil when there are no credentials.
    let header: @Sendable () async throws -> Header?
    /// The credentials if they never change, so that errors of calls that do not send them do not show them either.
    private(set) var constant: Header?

    /// Basic authentication (RFC 7617): a name and a password, encoded as UTF-8.
    public static func basic(user: String, password: String) -> Authorization {
        fixed(.authorization, "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }

    /// A bearer token (RFC 6750). If the token changes, use ``dynamic(_:)`` instead.
    public static func bearer(_ token: String) -> Authorization {
        fixed(.authorization, "Bearer \(token)")
    }

    /// A credential in any other header: `.custom(header: "X-Api-Key", value: key)`.
    public static func custom(header: HTTPHeaders.Name, value: String) -> Authorization {
        fixed(header, value)
    }

    /// Credentials that change. The closure runs for every call that sends credentials, and again each time middleware
    /// sends the request. Redirects reuse the closure's result.
    ///
    /// - Parameter make: returns the current credentials; nil when there are none. If the closure throws an error, the
    ///   call fails and the request is not sent.
    public static func dynamic(_ make: @escaping @Sendable () async throws -> Authorization?) -> Authorization {
        Authorization(header: { try await make()?.header() })
    }

    private static func fixed(_ name: HTTPHeaders.Name, _ value: String) -> Authorization {
        let header = Header(name: name, value: value)
        return Authorization(header: { header }, constant: header)
    }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the credentials.
    public var description: String { "Authorization(\(SensitiveName.placeholder))" }
    /// An empty mirror, so that `dump` and debuggers do not show the credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
