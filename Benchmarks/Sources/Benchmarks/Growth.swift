/// Work on n things, measured for n, 10 n and 100 n, to find work whose time grows faster than n log n.
struct Growth: Sendable {
    /// Work that is ready to be measured.
    typealias Work = @Sendable () async throws -> Void

    let name: String
    /// The smallest n.
    let count: Int
    /// The unit whose time is measured: one of the n things, or the whole work when its time must not depend on n.
    let unit: Unit
    /// The highest accepted time of the whole work for 100 n, in nanoseconds; nil for any.
    let target: Double?
    /// Makes the work for a number of things. Only the work is measured.
    let prepare: @Sendable (_ count: Int) async throws -> Work

    enum Unit { case thing, work }

    init(
        _ name: String, _ count: Int, per unit: Unit = .thing, target: Duration? = nil,
        prepare: @escaping @Sendable (_ count: Int) async throws -> Work
    ) {
        self.name = name
        self.count = count
        self.unit = unit
        self.target = target.map { $0 / .nanoseconds(1) }
        self.prepare = prepare
    }

    /// The nanoseconds that each unit takes, for n, 10 n and 100 n.
    func times() async throws -> [Double] {
        var times: [Double] = []
        for count in [count, count * 10, count * 100] {
            let time = try await Self.time(of: prepare(count))
            times.append(unit == .thing ? time / Double(count) : time)
        }
        return times
    }

    /// True if the time of a unit at most doubles with each step, and the target is reached.
    func fits(_ times: [Double]) -> Bool {
        let whole = (times.last ?? 0) * (unit == .thing ? Double(count * 100) : 1)
        return zip(times, times.dropFirst()).allSatisfy { $1 <= 2 * $0 } && target.map { whole <= $0 } ?? true
    }

    /// The processor time of one run, in nanoseconds: the shortest of several measurements. Unlike the time on a clock,
    /// it does not depend on what else the machine does.
    private static func time(of work: Work) async throws -> Double {
        var shortest = Double.infinity
        for _ in 0..<5 {
            let begin = ProcessorTime.now
            var runs = 0.0
            repeat {
                try await work()
                runs += 1
            } while ProcessorTime.now - begin < 1e7
            shortest = min(shortest, (ProcessorTime.now - begin) / runs)
        }
        return shortest
    }
}
