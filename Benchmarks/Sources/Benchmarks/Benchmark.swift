/// The same work done twice: by hand with Foundation, and with Fingerpost.
struct Benchmark: Sendable {
    /// Does the work so many times.
    typealias Work = @Sendable (_ count: Int) async throws -> Void

    let name: String
    /// The highest ratio of our time to the time by hand that is good enough.
    let target: Double
    /// What must be there before either is done.
    let prepare: @Sendable () throws -> Void
    let byHand: Work
    let ours: Work

    init(
        _ name: String, target: Double, prepare: @escaping @Sendable () throws -> Void = {}, byHand: @escaping Work,
        ours: @escaping Work
    ) {
        self.name = name
        self.target = target
        self.prepare = prepare
        self.byHand = byHand
        self.ours = ours
    }

    /// Work that does not wait.
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

/// Uses a value, as far as the optimizer can tell, so that the work behind it stays.
@inline(never)
@_optimize(none)
func blackHole(_ value: some Any) {}
