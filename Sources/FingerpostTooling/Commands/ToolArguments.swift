import FingerpostFiles

/// The parsed arguments of one of the tool's commands.
struct ToolArguments {
    private(set) var operands: [String] = []
    private var options: [String: String] = [:]

    /// Parses the arguments of a command.
    ///
    /// - Parameters:
    ///   - options: the options that take a value. The value is the next word, or follows `=` in the same word.
    ///   - flags: the options that take no value.
    ///   - most: the maximum number of operands (words that are not options).
    /// - Throws: a usage error if an option is unknown, repeated or incomplete, or if there are too many operands.
    init(
        _ words: [String], options known: [String], flags: [String] = [], operands most: Int
    ) throws(UsageProblem) {
        var rest = words.makeIterator()
        while let word = rest.next() {
            guard word.hasPrefix("-"), word != "-" else {
                guard operands.count < most else { throw UsageProblem("unexpected argument \"\(word)\"") }
                operands.append(word)
                continue
            }
            let name = String(word.prefix { $0 != "=" })
            let value = name.endIndex < word.endIndex ? String(word[name.endIndex...].dropFirst()) : nil
            guard options[name] == nil else { throw UsageProblem("\(name) is given twice") }
            if flags.contains(name) {
                guard value == nil else { throw UsageProblem("\(name) takes no value") }
                options[name] = ""
            } else if known.contains(name) {
                guard let value = value ?? rest.next(), !value.isEmpty, !value.hasPrefix("--") else {
                    throw UsageProblem("\(name) needs a value")
                }
                options[name] = value
            } else {
                throw UsageProblem(
                    "unknown option \"\(name)\"" + NearestName.hint(name, in: known + flags + ["--help"]))
            }
        }
    }

    /// The value of an option; empty for a flag. Nil if the option is not given.
    subscript(option: String) -> String? { options[option] }
}

/// A usage error: the arguments passed to a tool are invalid.
struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error message. `ToolCommand` adds how to get help.
    var description: String
    /// The exit code: by default `EX_USAGE` of sysexits.h.
    var status: Int32 = 64

    init(_ message: String) {
        description = message
    }
}
