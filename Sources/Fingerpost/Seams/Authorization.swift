import Foundation

/// The credentials of a client: ``ClientConfiguration/authorization``.
///
/// ```swift
/// configuration.authorization = .bearer(token)
/// configuration.authorization = .dynamic { await session.token.map { .bearer($0) } }
/// ```
///
/// Its value is in no description, mirror or error.
public struct Authorization: Sendable {
    /// A header and its value.
    struct Header: Sendable {
        var name: HTTPHeaders.Name
        var value: String
    }

    /// The header for one call, nil when there are no credentials.
    let header: @Sendable () async throws -> Header?

    /// A name and a password (RFC 7617), in UTF-8.
    public static func basic(user: String, password: String) -> Authorization {
        fixed(.authorization, "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }

    /// A token (RFC 6750).
    public static func bearer(_ token: String) -> Authorization {
        fixed(.authorization, "Bearer \(token)")
    }

    /// Any header: `.custom(header: "X-Api-Key", value: key)`.
    public static func custom(header: HTTPHeaders.Name, value: String) -> Authorization {
        fixed(header, value)
    }

    /// Asked anew for every call, for credentials that change; nil when there are none.
    public static func dynamic(_ make: @escaping @Sendable () async throws -> Authorization?) -> Authorization {
        Authorization { try await make()?.header() }
    }

    private static func fixed(_ name: HTTPHeaders.Name, _ value: String) -> Authorization {
        let header = Header(name: name, value: value)
        return Authorization { header }
    }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
    public var description: String { "Authorization(\(SensitiveName.placeholder))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
