import FingerpostFiles
import Foundation

/// The values of a scope that a test may replace: the clock and the random numbers. If only mocks answer the calls of a
/// test, `ScopeSettings` sets a virtual clock, and uses the test's name as the seed.
package final class ScopeValues: Sendable {
    /// Random numbers that are the same in each run.
    package struct Seed: Sendable {
        let numbers: Locked<any RandomNumberGenerator>
        /// True if the seed is the name of a test, and therefore applies only to calls that mocks answer. A seed that
        /// code sets applies to every call.
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

    /// The current date: the system's date when the scope was created, plus the time that has passed on the scope's
    /// clock.
    var date: Date { created + elapsed() / .seconds(1) }
}
