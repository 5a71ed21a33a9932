/// What ``ClientConfiguration/retryRule`` decides about a response.
public enum RetryDecision: Hashable, Sendable {
    /// The call is sent again. The wait is that of the policy, or the given one if it is longer; a longer one than
    /// ``RetryPolicy/maximumRetryAfter`` ends the call.
    case retry(after: Duration = .zero)
    /// The response is the call's.
    case stop
}
