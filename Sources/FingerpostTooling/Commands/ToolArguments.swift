import FingerpostFiles

/// The words behind a command, told apart.
struct ToolArguments {
    private(set) var operands: [String] = []
    private var options: [String: String] = [:]

    /// - Parameters:
    ///   - options: names that take a value, as the next word or behind `=`.
    ///   - flags: names that take none.
    ///   - most: how many words there may be besides.
    init(
        _ words: some Collection<String>, options known: [String], flags: [String] = [], operands most: Int
    ) throws(UsageProblem) {
        var rest = words.makeIterator()
        while let word = rest.next() {
            guard word.hasPrefix("-"), word != "-" else {
                guard operands.count < most else { throw UsageProblem("\"\(word)\" is one word too many") }
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
                    "there is no option \(name)" + NearestName.hint(name, in: known + flags + ["--help"]))
            }
        }
    }

    subscript(option: String) -> String? { options[option] }

    func has(_ flag: String) -> Bool { options[flag] != nil }
}
