/// What a call gets when all responses of a mock's sequence have been used.
package enum AfterSequence: String, Sendable, CaseIterable {
    /// The call fails. Failing is the default, because repeating responses silently would hide calls that should not be
    /// made.
    case fail
    /// Every further call gets the last response again.
    case repeatLast
    /// The sequence starts over.
    case loop
}
