/// What a response keeps of its call: its record.
package protocol CallEvidence: AnyObject, Sendable {
    /// What the call knows of its secrets.
    var secrets: CallSecrets { get }
    /// The attempts so far, without secrets.
    var history: [Attempt] { get }
    /// The account as which the call began; nil if it is not known.
    var account: String? { get }
}
