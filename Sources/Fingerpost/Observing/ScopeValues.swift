import FingerpostFiles
import Foundation

/// The values of a scope that a test may fix: time and chance. In tests that mocks answer, `ScopeSettings` gives the
/// scope a virtual clock, and the name of the test as its seed.
package final class ScopeValues: Sendable {
    /// Random numbers that are the same in each run.
    package struct Seed: Sendable {
        let numbers: Locked<any RandomNumberGenerator>
        /// True for the name of a test, which is a seed for the calls that mocks answer. Code gives one for every call.
        let isOfTest: Bool

        package init(_ numbers: sending any RandomNumberGenerator, isOfTest: Bool = false) {
            (self.numbers, self.isOfTest) = (Locked(numbers), isOfTest)
        }
    }

    let clock: any Clock<Duration>
    /// The time since the scope was created.
    let elapsed: @Sendable () -> Duration
    let seed: Seed?
    private let created = Date()

    package init(_ clock: some Clock<Duration>, _ seed: Seed? = nil) {
        self.clock = clock
        self.seed = seed
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// The current date: the system's date when the scope was created, advanced by the scope's clock.
    var date: Date { created + elapsed() / .seconds(1) }
}
