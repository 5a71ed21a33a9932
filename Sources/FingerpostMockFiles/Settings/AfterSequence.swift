/// What a call gets when all responses of a mock's sequence have been used.
package enum AfterSequence: String, Sendable, CaseIterable {
    /// The call fails. Failing is the default, because repeating responses silently would hide calls that should not be
    /// made.
    case fail
    /// Every further call gets the last response again.
    case repeatLast
    /// The sequence starts over.
    case loop

    /// The response to a call: its own, while there is one.
    ///
    /// - Parameters:
    ///   - index: how many calls came before.
    ///   - count: the number of responses.
    /// - Returns: the index of the response; nil if none is left.
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
