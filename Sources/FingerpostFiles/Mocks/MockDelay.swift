/// How long a mock takes to answer, in seconds.
package enum MockDelay: Sendable, Hashable {
    /// Always the same time.
    case fixed(Double)
    /// Uniformly distributed between two times.
    case uniform(ClosedRange<Double>)
    /// Log-normally distributed: most answers are near the median, and one in a hundred takes `p99` or longer.
    case logNormal(median: Double, p99: Double)
}
