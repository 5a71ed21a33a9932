/// The times of a benchmark.
struct Measurement: Sendable {
    /// Nanoseconds for one iteration of the hand-written version.
    let byHand: Double
    /// Nanoseconds for one iteration with Fingerpost.
    let ours: Double
    /// The median ratio of neighbouring batches: a disturbance of the machine affects both batches or is an outlier.
    let ratio: Double

    /// Alternates between both versions in batches so short that the machine's speed hardly changes between them.
    init(_ benchmark: Benchmark, rounds: Int = 200, batch: Duration = .milliseconds(3)) async throws {
        try benchmark.prepare()
        // Find the number of iterations that fills a batch, then warm up caches and connections.
        var count = 1
        while try await Self.time(benchmark.byHand, count) < batch, count < 1 << 20 { count *= 2 }
        for _ in 0..<20 {
            _ = try await Self.time(benchmark.byHand, count)
            _ = try await Self.time(benchmark.ours, count)
        }

        var byHand: [Double] = []
        var ours: [Double] = []
        for round in 0..<rounds {
            // Alternate the order, so that neither version has an advantage.
            if round.isMultiple(of: 2) {
                byHand.append(try await Self.time(benchmark.byHand, count) / .nanoseconds(count))
                ours.append(try await Self.time(benchmark.ours, count) / .nanoseconds(count))
            } else {
                ours.append(try await Self.time(benchmark.ours, count) / .nanoseconds(count))
                byHand.append(try await Self.time(benchmark.byHand, count) / .nanoseconds(count))
            }
        }
        self.byHand = Self.median(byHand)
        self.ours = Self.median(ours)
        ratio = Self.median(zip(ours, byHand).map { $0 / $1 })
    }

    private static func time(_ work: Benchmark.Work, _ count: Int) async throws -> Duration {
        let start = ContinuousClock.now
        try await work(count)
        return ContinuousClock.now - start
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
