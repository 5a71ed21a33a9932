package import FingerpostMockFiles

extension StubDefinition {
    /// All responses that a call can get, including each of a sequence.
    package var responses: [StubResponse] { (settings?.responses ?? [StubResponse()]).map { $0.inheriting(named) } }
}
