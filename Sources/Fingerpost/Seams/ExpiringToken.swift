import FingerpostFiles
public import Foundation

/// A token with the time at which it ends. A refresh returns this type, so that the client renews the token before the
/// server rejects it. See ``Authorization/refreshing(_:scheme:when:expiring:)`` and
/// ``Authorization/clientCredentials(_:scheme:when:_:)``.
///
/// ```swift
/// let token = ExpiringToken(new.accessToken, expiresIn: .seconds(new.expiresIn))  // RFC 6749 section 5.1
/// let webToken = ExpiringToken(jwt.text, expires: jwt.expiry)  // the `exp` of a JSON Web Token
/// ```
///
/// The client asks for the next token when 30 seconds or a tenth of this token's time is left, whichever is less. The
/// end is kept only in memory: a token that the store has kept since an earlier launch is renewed only after a 401.
public struct ExpiringToken: Sendable {
    let text: String
    /// How long the token is valid, if it was asked for at a date; nil if that is not known.
    private let length: @Sendable (_ start: Date) -> TimeInterval?

    /// - Parameters:
    ///   - token: the token.
    ///   - duration: how long the token is valid, from the moment at which the client asked for it. If the duration is
    ///     nil, zero or negative, the end is not known.
    public init(_ token: String, expiresIn duration: Duration?) {
        text = token
        length = { _ in duration.map { $0 / .seconds(1) } }
    }

    /// - Parameters:
    ///   - token: the token.
    ///   - date: when the token ends; nil if the end is not known.
    public init(_ token: String, expires date: Date?) {
        text = token
        length = { date?.timeIntervalSince($0) }
    }

    /// When the token is renewed; nil if its end is not known.
    ///
    /// - Parameter start: when the client asked for the token.
    func renewal(askedAt start: Date) -> Date? {
        // A token that has ended already says nothing about the next one.
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
