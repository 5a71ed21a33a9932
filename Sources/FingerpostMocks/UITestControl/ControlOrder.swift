import Fingerpost
import FingerpostMockFiles

/// What another process has set for the app's mocks.
struct ControlOrder: Sendable {
    /// Numbers the contents of the file, so that the other process can tell which calls saw a change.
    var number = 0
    var scenario: MockScenario?
    var changes = MockChanges()
}
