import FingerpostFiles
import FingerpostMocks
import FingerpostShared
import Foundation

/// Makes inputs from seeds by random changes. The same numbers give the same input.
struct FuzzInput {
    private var random: SeededGenerator
    private let seeds: [[UInt8]]
    private let tokens: [[UInt8]]

    /// - Parameter number: the number of the input, which gives the input's own random numbers.
    init(_ target: FuzzTarget, run: UInt64, number: Int) {
        random = SeededGenerator(seed: SeededGenerator.seed(of: "\(target.name) \(run) \(number)"))
        seeds = target.seeds.map { Array($0) }
        tokens = target.tokens.map { Array($0.utf8) } + Self.tokens
    }

    /// Texts that are special to many parsers.
    private static let tokens: [[UInt8]] =
        [
            "\0", "\n", "\r\n", "\"", "\\", "/", "..", "%", "%2F", "#", "?", "&", "=", ":", "é", "🦉", "\u{301}",
            "\u{FEFF}",
        ]
        .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80]]

    mutating func next() -> Data {
        var bytes = seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 0...6, using: &random) { change(&bytes) }
        return Data(bytes.prefix(8_192))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
        case 2: bytes.insert(.random(in: 0...255, using: &random), at: place)
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 5: bytes.removeSubrange(place...)
        case 6:
            // The end of another seed.
            let other = seeds.randomElement(using: &random) ?? []
            bytes = Array(bytes[..<place]) + other.suffix(Int.random(in: 0...other.count, using: &random))
        case 7:
            let token = tokens.randomElement(using: &random) ?? []
            let count = Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 1...700, using: &random) : 1
            bytes.insert(contentsOf: Array(repeatElement(token, count: count).joined()), at: place)
        default: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
        }
    }
}
