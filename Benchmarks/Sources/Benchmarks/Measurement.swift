/// The times of a benchmark.
struct Measurement: Sendable {
    /// Nanoseconds for one iteration of the hand-written version.
    let byHand: Double
    /// Nanoseconds for one iteration with Fingerpost.
    let ours: Double
    /// The median ratio of neighbouring batches: a disturbance of the machine affects both batches or is an outlier.
    let ratio: Double
    /// The same of the processor time of all threads, the benchmark's server included. On few shared cores it is the
    /// steadier ratio of the two: it does not depend on who waits for whom.
    let processorRatio: Double

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

        var byHand: [Times] = []
        var ours: [Times] = []
        for round in 0..<rounds {
            // Alternate the order, so that neither version has an advantage.
            if round.isMultiple(of: 2) {
                byHand.append(try await Self.times(benchmark.byHand, count))
                ours.append(try await Self.times(benchmark.ours, count))
            } else {
                ours.append(try await Self.times(benchmark.ours, count))
                byHand.append(try await Self.times(benchmark.byHand, count))
            }
        }
        self.byHand = Self.median(byHand.map(\.wall))
        self.ours = Self.median(ours.map(\.wall))
        ratio = Self.median(zip(ours, byHand).map { $0.wall / $1.wall })
        processorRatio = Self.median(zip(ours, byHand).map { $0.processor / $1.processor })
    }

    /// Nanoseconds for one iteration.
    private typealias Times = (wall: Double, processor: Double)

    private static func times(_ work: Benchmark.Work, _ count: Int) async throws -> Times {
        let begin = ProcessorTime.now
        let wall = try await time(work, count)
        return (wall / .nanoseconds(count), (ProcessorTime.now - begin) / Double(count))
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
