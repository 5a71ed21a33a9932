import FingerpostFiles
import Foundation

/// What the mocks of a scope remember: the answers that code set, the variants, how far sequences have come, and chance. Outside of
/// scopes every client has one.
final class MockPlayback: Sendable {
    /// What is claimed from: one variant of one mock, or an answer that code set.
    struct Source: Hashable, CustomStringConvertible {
        let mock: MockName
        var variant: String?
        /// Tells answers that code set for one mock from each other: the number of the setting, and the places in the sequences inside.
        var place: [Int] = []

        var description: String { "\"\(mock)\"" + (variant.map { ", variant \"\($0)\"" } ?? "") }
    }

    private struct Sequence {
        var claimed = 0
        var count: Int
        var mustEnd: Bool

        var isUnread: Bool { mustEnd && claimed < count }
    }

    /// A variant that a test chose, or that an answer switched to.
    struct Choice {
        let variant: String
        /// The newer one counts, in whichever scope it was made.
        let time: ContinuousClock.Instant
        /// True when a test chose it.
        let isChosen: Bool
    }

    private struct State {
        var answers: [MockName: (answer: MockAnswer, id: Int)] = [:]
        var nextID = 0
        var variants: [MockName: Choice] = [:]
        /// What tests chose and nobody asked for yet.
        var unused: [MockName: String] = [:]
        /// True when every variant that is chosen must be asked for.
        var isStrict = false
        var sequences: [Source: Sequence] = [:]
        var counts: [MockName: Int] = [:]
        /// Those of scopes inside that have ended with answers left.
        var inner: [MockPlayback] = []
        var generator: SeededGenerator
    }

    /// True when somebody chose its seed.
    let isSeeded: Bool
    private let state: Locked<State>

    init(variants: [MockName: String] = [:], seed: UInt64? = nil) {
        isSeeded = seed != nil
        state = Locked(State(generator: SeededGenerator(seed: seed ?? .random(in: 0 ... .max))))
        choose(variants)
    }

    // MARK: What answers

    func set(_ answer: MockAnswer?, for mock: MockName) {
        state.withLock { state in
            state.nextID += 1
            let id = state.nextID
            state.answers[mock] = answer.map { ($0, id) }
            state.sequences = state.sequences.filter { $0.key.mock != mock || $0.key.place.isEmpty }
            if case .sequence(let answers, _)? = answer?.kind {
                state.sequences[Source(mock: mock, place: [id])] = Sequence(count: answers.count, mustEnd: true)
            }
        }
    }

    /// Switches a mock to a variant, as an answer says.
    func use(_ variant: String, of mock: MockName) {
        state.withLock { $0.variants[mock] = Choice(variant: variant, time: .now, isChosen: false) }
    }

    /// The variants that a test says.
    func choose(_ variants: [MockName: String], isStrict: Bool = false) {
        state.withLock { state in
            for (mock, variant) in variants {
                state.variants[mock] = Choice(variant: variant, time: .now, isChosen: true)
                state.unused[mock] = variant
            }
            state.isStrict = state.isStrict || isStrict
        }
    }

    func answer(for mock: MockName) -> (answer: MockAnswer, id: Int)? { state.withLock { $0.answers[mock] } }

    func variant(of mock: MockName) -> Choice? { state.withLock { $0.variants[mock] } }

    /// A variant that was chosen answers.
    func markUsed(_ mock: MockName) { state.withLock { $0.unused[mock] = nil } }

    /// Every mock that something was set for.
    var names: [MockName] { state.withLock { Array($0.answers.keys) + Array($0.variants.keys) } }

    // MARK: What was answered

    /// Takes the next answer of a sequence, which nobody else gets.
    ///
    /// - Returns: its index, and the number of this call; nil for the index when there is none left.
    func claim(
        from source: Source, count: Int, after: MockSettings.After
    ) -> (index: Int?, call: Int) {
        state.withLock { state in
            var sequence = state.sequences[source] ?? Sequence(count: count, mustEnd: after != .loop)
            defer { state.sequences[source] = sequence }
            let index = sequence.claimed
            sequence.claimed += 1
            if index < count { return (index, index + 1) }
            if count == 0 { return (nil, index + 1) }
            return switch after {
            case .fail: (nil, index + 1)
            case .repeatLast: (count - 1, index + 1)
            case .loop: (index % count, index + 1)
            }
        }
    }

    /// How often a mock was asked, this time included.
    func count(_ mock: MockName) -> Int {
        state.withLock { state in
            state.counts[mock, default: 0] += 1
            return state.counts[mock, default: 0]
        }
    }

    /// Sequences that have answers left, and variants that nobody asked for, in words; they may then stay as they are.
    func takeUnread() -> [String] {
        let (sequences, unused, inner) = state.withLock { state in
            let sequences = state.sequences
            for source in sequences.keys { state.sequences[source]?.mustEnd = false }
            let unused = state.isStrict ? state.unused : [:]
            state.unused = [:]
            return (sequences, unused, state.inner)
        }
        let variants = unused.map { mock, variant in
            "mock \"\(mock)\": nobody asked for its variant \"\(variant)\"; make the call that is missing, or leave the variant out"
        }
        return variants.sorted()
            + sequences.filter(\.value.isUnread).map { source, sequence in
                "mock \(source): the sequence has \(sequence.count) answers and \(sequence.claimed) were asked for;"
                    + " make the calls that are missing, or shorten the sequence"
            }.sorted() + inner.flatMap { $0.takeUnread() }
    }

    /// Answers for what a scope inside leaves unread.
    func adopt(_ other: MockPlayback) {
        guard other !== self, other.hasUnread else { return }
        state.withLock { state in
            if !state.inner.contains(where: { $0 === other }) { state.inner.append(other) }
        }
    }

    private var hasUnread: Bool { state.withLock { $0.sequences.values.contains(where: \.isUnread) } }

    // MARK: Chance

    func duration(of delay: MockDelay) -> Duration {
        state.withLock { delay.duration(using: &$0.generator) }
    }

    /// A random UUID (RFC 9562 section 5.4) of the scope's seed.
    func uuid() -> UUID {
        state.withLock { state in
            let high = state.generator.next()
            let low = state.generator.next()
            var bytes = [high, low].flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> (56 - 8 * $0)) } }
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
            return UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                    bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
                ))
        }
    }
}
