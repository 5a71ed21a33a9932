/// The same work in two versions: hand-written with Foundation, and with Fingerpost.
struct Benchmark: Sendable {
    /// Does the work `count` times.
    typealias Work = @Sendable (_ count: Int) async throws -> Void

    let name: String
    /// The highest accepted ratio of Fingerpost's time to the hand-written version's time: the ratio when it was last
    /// measured, and its spread.
    let target: Double
    /// What to know of the comparison; printed with the ratio.
    let note: String
    /// Runs once before the measurement, for example to create files.
    let prepare: @Sendable () throws -> Void
    let byHand: Work
    let ours: Work

    init(
        _ name: String, target: Double, note: String = "", prepare: @escaping @Sendable () throws -> Void = {},
        byHand: @escaping Work, ours: @escaping Work
    ) {
        self.name = name
        self.target = target
        self.note = note
        self.prepare = prepare
        self.byHand = byHand
        self.ours = ours
    }

    /// A benchmark of synchronous work.
    static func sync<ByHand, Ours>(
        _ name: String, target: Double, byHand: @escaping @Sendable () throws -> ByHand,
        ours: @escaping @Sendable () throws -> Ours
    ) -> Benchmark {
        Benchmark(name, target: target) { count in
            for _ in 0..<count { blackHole(try byHand()) }
        } ours: { count in
            for _ in 0..<count { blackHole(try ours()) }
        }
    }
}

/// Keeps the optimizer from removing the work that produced a value.
@inline(never)
@_optimize(none)
func blackHole(_ value: some Any) {}
