/// What a response keeps of its call: its record.
package protocol CallEvidence: AnyObject, Sendable {
    /// What the call knows of its secrets.
    var secrets: CallSecrets { get }
}
