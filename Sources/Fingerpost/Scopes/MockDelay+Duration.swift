import FingerpostFiles
import Foundation

extension MockDelay {
    /// How long it takes this time, at most a day.
    func duration(using generator: inout some RandomNumberGenerator) -> Duration {
        let seconds =
            switch self {
            case .fixed(let seconds): seconds
            case .uniform(let range): Double.random(in: range, using: &generator)
            case .logNormal(let median, let p99):
                // 2.326 standard deviations above the mean of a normal distribution lies one in a hundred.
                median * exp(log(p99 / median) / 2.326 * Self.normal(using: &generator))
            }
        // The tail is endless, and a median next to nothing makes it no number.
        return .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 86_400))
    }

    /// A number of the standard normal distribution (Box–Muller).
    private static func normal(using generator: inout some RandomNumberGenerator) -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }
}
