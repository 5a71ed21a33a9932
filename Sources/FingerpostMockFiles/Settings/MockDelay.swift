import FingerpostFiles

/// How long a mock takes to answer, in seconds.
package enum MockDelay: Sendable, Hashable {
    /// Every answer takes the same time.
    case fixed(Double)
    /// Every answer takes the time that code has set, to the last digit.
    case exact(Duration)
    /// The time is random and uniformly distributed between two bounds.
    case uniform(ClosedRange<Double>)
    /// The time is random and log-normally distributed: most answers take about the median, and one in a hundred takes
    /// `p99` or longer.
    case logNormal(median: Double, p99: Double)
}
