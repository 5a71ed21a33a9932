/// The response to calls after the end of a mock's sequence.
package enum AfterSequence: String, Sendable, CaseIterable {
    /// The call fails. This is the default: if the last response were repeated, a test would not notice unwanted calls.
    case fail
    /// Every further call gets the last response again.
    case repeatLast
    /// The sequence starts over.
    case loop

    /// Chooses the response to a call.
    ///
    /// - Parameters:
    ///   - index: the number of earlier calls.
    ///   - count: the number of responses.
    /// - Returns: the index of the response; nil if the call fails.
    package func index(of index: Int, count: Int) -> Int? {
        if index < count { return index }
        if count == 0 { return nil }
        return switch self {
        case .fail: nil
        case .repeatLast: count - 1
        case .loop: index % count
        }
    }
}
