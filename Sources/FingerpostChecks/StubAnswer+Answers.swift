package import FingerpostMockFiles

extension StubAnswer {
    /// All answers that a call can get, including each answer of a sequence.
    package var answers: [StubResponse] { (settings?.answers ?? [StubResponse()]).map { $0.inheriting(named) } }
}
