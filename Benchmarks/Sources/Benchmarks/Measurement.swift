/// How long the work of a benchmark took.
struct Measurement: Sendable {
    /// Nanoseconds for doing the work once.
    let byHand: Double
    /// Nanoseconds for doing the work once.
    let ours: Double
    /// The median of the ratios of neighbouring batches: a disturbance of the machine hits both or is outvoted.
    let ratio: Double

    /// Runs both kinds of work in turns, in batches so short that the machine hardly changes in between.
    init(_ benchmark: Benchmark, rounds: Int = 200, batch: Duration = .milliseconds(3)) async throws {
        try benchmark.prepare()
        // Warm up until the caches are filled and the connections are open, and learn how much work fills a batch.
        var count = 1
        while try await Self.time(benchmark.byHand, count) < batch, count < 1 << 20 { count *= 2 }
        for _ in 0..<20 {
            _ = try await Self.time(benchmark.byHand, count)
            _ = try await Self.time(benchmark.ours, count)
        }

        var byHand: [Double] = []
        var ours: [Double] = []
        for round in 0..<rounds {
            // Neither side always comes first.
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
