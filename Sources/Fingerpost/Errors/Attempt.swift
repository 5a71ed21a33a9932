/// One request of a call: the first, a redirect, or a retry. A call's attempts are in ``Response/history``,
/// ``APIError/history`` and ``LoggedCall/history``.
public struct Attempt: Equatable, Sendable {
    /// The request's method and URL, without credentials: `GET https://api.example.com/users`.
    public internal(set) var request: String
    /// The status of the response; nil if no response arrived.
    public let status: Int?
    /// Why no response arrived; nil if a response arrived.
    public internal(set) var error: String?
    /// How long the call waited before it sent this request again; zero for the first attempt and for redirects.
    public let wait: Duration
    /// The time from the request to its response or error, measured with the scope's clock, like ``wait``.
    public let duration: Duration
}

extension Attempt {
    /// Returns a copy of the attempt with changed texts.
    func mapTexts(_ change: (String) -> String) -> Attempt {
        var attempt = self
        attempt.request = change(request)
        attempt.error = error.map(change)
        return attempt
    }
}

extension Attempt: CustomStringConvertible {
    /// The attempt's outcome and the wait before it: `503 after 500 ms`.
    public var description: String {
        let outcome = status.map { "\($0)" } ?? error ?? "in progress"
        return wait == .zero ? outcome : "\(outcome) after \(wait.shortText)"
    }
}
