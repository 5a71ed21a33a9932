/// How long a mock takes to answer, in seconds.
package enum MockDelay: Sendable, Hashable {
    case fixed(Double)
    /// Anything between two times, equally likely.
    case uniform(ClosedRange<Double>)
    /// Most answers near the median and a long tail: one in a hundred takes `p99` or more.
    case logNormal(median: Double, p99: Double)
}
