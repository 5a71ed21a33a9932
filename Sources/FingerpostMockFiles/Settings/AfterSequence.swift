/// What a call gets when all answers of a mock's sequence have been used.
package enum AfterSequence: String, Sendable, CaseIterable {
    /// The call fails. Failing is the default, because repeating answers silently would hide calls that should not be
    /// made.
    case fail
    /// Every further call gets the last answer again.
    case repeatLast
    /// The sequence starts over.
    case loop

    /// The answer of a call: its own, while there is one.
    ///
    /// - Parameters:
    ///   - index: how many calls came before.
    ///   - count: the number of answers.
    /// - Returns: the index of the answer; nil if none is left.
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
