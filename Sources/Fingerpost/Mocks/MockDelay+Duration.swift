import FingerpostFiles
import Foundation

extension MockDelay {
    /// How long it takes this time.
    func duration(using generator: inout some RandomNumberGenerator) -> Duration {
        switch self {
        case .fixed(let seconds): .seconds(seconds)
        case .uniform(let range): .seconds(Double.random(in: range, using: &generator))
        case .logNormal(let median, let p99):
            // 2.326 standard deviations above the mean of a normal distribution lies one in a hundred.
            .seconds(median * exp(log(p99 / median) / 2.326 * Self.normal(using: &generator)))
        }
    }

    /// A number of the standard normal distribution (Box–Muller).
    private static func normal(using generator: inout some RandomNumberGenerator) -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }
}
