package import FingerpostMockFiles

extension FoundMock {
    /// All answers that a call can get, including each answer of a sequence.
    package var answers: [WrittenAnswer] { (settings?.answers ?? [WrittenAnswer()]).map { $0.over(named) } }
}
