import TestSupport

/// A parser, or another function that takes input from outside, and what must hold for every input.
struct FuzzTarget: Sendable, CustomTestStringConvertible {
    let name: String
    /// The inputs to start from.
    let seeds: [Data]
    /// Texts that the parser knows, which random changes insert.
    let tokens: [String]
    /// Runs the parser. Throws ``FuzzFinding`` for a result that must not be; any other error means that the parser
    /// rejects the input.
    let run: @Sendable (Data) throws -> Void

    var testDescription: String { name }

    init(_ name: String, _ seeds: [String], tokens: [String] = [], run: @escaping @Sendable (Data) throws -> Void) {
        self.init(name, data: seeds.map { Data($0.utf8) }, tokens: tokens, run: run)
    }

    init(_ name: String, data seeds: [Data], tokens: [String] = [], run: @escaping @Sendable (Data) throws -> Void) {
        self.name = name
        self.seeds = seeds
        self.tokens = tokens
        self.run = run
    }

    /// A parser of text. Bytes that are not UTF-8 are replaced.
    static func text(
        _ name: String, _ seeds: [String], tokens: [String] = [], run: @escaping @Sendable (String) throws -> Void
    ) -> FuzzTarget {
        FuzzTarget(name, seeds, tokens: tokens) { try run(String(decoding: $0, as: UTF8.self)) }
    }
}

/// A result of a parser that must not be.
struct FuzzFinding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// - Throws: a finding if the condition does not hold.
    static func check(_ condition: Bool, _ description: @autoclosure () -> String) throws(FuzzFinding) {
        if !condition { throw FuzzFinding(description()) }
    }
}
