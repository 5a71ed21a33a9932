/// What a call gets when all answers of a mock's sequence have been used.
package enum AfterSequence: String, Sendable, CaseIterable {
    /// The call fails. Failing is the default, because repeating answers silently would hide calls that should not be
    /// made.
    case fail
    /// Every further call gets the last answer again.
    case repeatLast
    /// The sequence starts over.
    case loop
}
