import FingerpostFiles
public import Foundation

/// A token, and the time at which the token expires. A refresh returns this type, so that the client renews the token
/// before the server rejects it. See ``Authorization/refreshing(_:scheme:when:expiring:)`` and
/// ``Authorization/clientCredentials(_:scheme:when:_:)``.
///
/// ```swift
/// let token = ExpiringToken(new.accessToken, expiresIn: .seconds(new.expiresIn))  // RFC 6749 section 5.1
/// let webToken = ExpiringToken(jwt.text, expires: jwt.expiry)  // the `exp` of a JSON Web Token
/// ```
///
/// The client requests the next token when the current token has 30 seconds or a tenth of its lifetime left, whichever
/// is less. The client keeps the expiry date of a token only in memory, so a token from an earlier launch is renewed
/// only after a 401.
public struct ExpiringToken: Sendable {
    let text: String
    /// Returns the token's lifetime in seconds, counted from the date at which the client requested the token. Returns
    /// nil if the lifetime is unknown.
    private let length: @Sendable (_ start: Date) -> TimeInterval?

    /// - Parameters:
    ///   - token: the token.
    ///   - duration: the token's lifetime, from the moment at which the client requested the token. If the duration is
    ///     nil, zero or negative, the lifetime is unknown.
    public init(_ token: String, expiresIn duration: Duration?) {
        text = token
        length = { _ in duration.map { $0 / .seconds(1) } }
    }

    /// - Parameters:
    ///   - token: the token.
    ///   - date: the date at which the token expires; nil if this date is unknown.
    public init(_ token: String, expires date: Date?) {
        text = token
        length = { date?.timeIntervalSince($0) }
    }

    /// Returns the date at which the token is renewed. Returns nil if the token's expiry date is unknown.
    ///
    /// - Parameter start: the date at which the client requested the token.
    func renewal(askedAt start: Date) -> Date? {
        // If the token has already expired, its lifetime is treated as unknown.
        guard let length = length(start), length > 0 else { return nil }
        return start + length - min(30, length / 10)
    }
}

extension ExpiringToken: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the token.
    public var description: String { "ExpiringToken(\(SensitiveName.placeholder))" }
    /// An empty mirror, so that `dump` and debuggers do not show the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
