public import Foundation

/// A token that says when it ends: what a refresh returns, so that the client renews the token before the server
/// rejects it. See ``Authorization/refreshing(_:when:expiring:)`` and ``Authorization/clientCredentials(_:when:_:)``.
///
/// ```swift
/// ExpiringToken(token.accessToken, expiresIn: .seconds(token.expiresIn))    // OAuth 2.0, RFC 6749 section 5.1
/// ExpiringToken(token.text, expires: token.expiry)                          // the `exp` of a JSON Web Token
/// ```
///
/// The client asks for the next token 30 seconds before this one ends, or when a tenth of its time is left, if that is
/// less. The end is kept in memory: a token that a store has kept since the last launch is renewed after a 401.
public struct ExpiringToken: Sendable {
    private enum End {
        case after(Duration)
        case at(Date)
    }

    let text: String
    private let end: End?

    /// - Parameters:
    ///   - token: the token.
    ///   - duration: how long it is valid, from the moment at which the client asked for it; nil, or no positive
    ///     duration, if that is not known.
    public init(_ token: String, expiresIn duration: Duration?) {
        text = token
        end = duration.flatMap { $0 > .zero ? .after($0) : nil }
    }

    /// - Parameters:
    ///   - token: the token.
    ///   - date: when it ends; nil if that is not known.
    public init(_ token: String, expires date: Date?) {
        text = token
        end = date.map(End.at)
    }

    /// When the token is renewed; nil if its end is not known.
    ///
    /// - Parameter start: when the client asked for the token.
    func renewal(askedAt start: Date) -> Date? {
        let length: TimeInterval
        switch end {
        case .after(let duration)?: length = duration / .seconds(1)
        case .at(let date)?: length = date.timeIntervalSince(start)
        case nil: return nil
        }
        // A token that has ended already says nothing about the next one.
        return length > 0 ? start + length - min(30, length / 10) : nil
    }
}

extension ExpiringToken: CustomStringConvertible, CustomReflectable {
    /// A placeholder instead of the token.
    public var description: String { "ExpiringToken(\(SensitiveName.placeholder))" }
    /// An empty mirror, so that `dump` and debuggers do not show the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
