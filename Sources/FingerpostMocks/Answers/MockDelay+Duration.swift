import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

extension MockDelay {
    /// The delay: random and between 0 seconds and one day, unless code has set it.
    func duration(using generator: inout some RandomNumberGenerator) -> Duration {
        let seconds: Double
        switch self {
        case .exact(let delay): return delay
        case .fixed(let value): seconds = value
        case .uniform(let range): seconds = Double.random(in: range, using: &generator)
        case .logNormal(let median, let p99):
            // The 99th percentile of a normal distribution is 2.326 standard deviations above its mean.
            seconds = median * exp(log(p99 / median) / 2.326 * Self.normal(using: &generator))
        }
        // A log-normal distribution has no upper bound, and a median near zero can result in NaN.
        return .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 86_400))
    }

    /// A random number from the standard normal distribution (Box–Muller).
    private static func normal(using generator: inout some RandomNumberGenerator) -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }
}
