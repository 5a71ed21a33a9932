import Fingerpost
import FingerpostFiles
import FingerpostShared
import Foundation

/// The random generator of a scope, for mocks, the waits of retries, and idempotency keys.
final class Chance: ScopeChance {
    /// Where the seed of the random generator comes from.
    struct Seed: Sendable {
        let value: UInt64
        /// True for the name of a test, which is a seed for the calls that mocks answer. Code gives one for every call.
        var isOfTest = false
    }

    /// The seed; nil if it is random.
    let seed: Seed?
    private let generator: Locked<SeededGenerator>

    init(_ seed: Seed? = nil) {
        self.seed = seed
        generator = Locked(SeededGenerator(seed: seed?.value ?? .random(in: 0 ... .max)))
    }

    /// A random value from the scope's generator.
    func random<Value: Sendable>(_ make: @Sendable (inout SeededGenerator) -> Value) -> Value {
        generator.withLock { make(&$0) }
    }

    func wait(_ backoff: RetryPolicy.Backoff, beforeRetry number: Int) -> Duration {
        random { backoff.wait(beforeRetry: number, using: &$0) }
    }

    /// A random UUID (version 4, RFC 9562 section 5.4) from the scope's generator.
    func uuid() -> UUID {
        generator.withLock { generator in
            let high = generator.next()
            let low = generator.next()
            var bytes = [high, low].flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> (56 - 8 * $0)) } }
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
            return UUID(uuid: bytes.withUnsafeBytes { $0.load(as: uuid_t.self) })
        }
    }
}
