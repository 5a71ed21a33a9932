/// The parsed command line.
struct Arguments: Equatable {
    /// The options. Each raw value is the text that a user types.
    private enum Option: String, CaseIterable {
        case environment = "--environment"
        case page = "--page"
        case isPrivate = "--private"
        case help = "--help"

        var takesValue: Bool { self == .environment || self == .page }
    }

    let command: Command
    /// The environment's name; nil if the option `--environment` is missing.
    let environment: String?

    /// - Parameter words: the words of the command line, without the program's name.
    /// - Throws: ``UsageError`` if the command line is invalid. The error describes the expected usage.
    init(_ words: some Collection<String>) throws(UsageError) {
        guard !words.contains("--help"), !words.contains("-h") else {
            command = .help
            environment = nil
            return
        }
        var (operands, options) = try Self.sort(words)
        environment = options.removeValue(forKey: .environment)
        command = try Self.command(operands, &options)
        if let unused = options.keys.map(\.rawValue).min() {
            throw UsageError("\(unused) is not an option of \(operands.first ?? "a run without a command")")
        }
    }

    private static func command(
        _ operands: [String], _ options: inout [Option: String]
    ) throws(UsageError) -> Command {
        switch operands.first {
        case nil:
            return .tour
        case "user":
            return .user(login: try operand("a login", "user octocat", in: operands))
        case "repos":
            let owner = try operand("an owner", "repos apple --page 2", in: operands)
            return .repos(owner: owner, page: try page(options.removeValue(forKey: .page)))
        case "create-repo":
            let name = try operand("a name", "create-repo hello", in: operands)
            return .createRepo(name: name, isPrivate: options.removeValue(forKey: .isPrivate) != nil)
        case "download":
            guard operands.count == 1 else {
                throw UsageError("download takes no operand; \"\(operands[1])\" is unexpected")
            }
            return .download
        case let unknown?:
            let hint = hint(unknown, in: ["user", "repos", "create-repo", "download"])
            throw UsageError("unknown command \"\(unknown)\"\(hint)")
        }
    }

    /// Returns the only operand of a command.
    private static func operand(
        _ what: String, _ example: String, in operands: [String]
    ) throws(UsageError) -> String {
        guard operands.count > 1, !operands[1].isEmpty else {
            throw UsageError("\(operands[0]) needs \(what), for example: swift run Demo \(example)")
        }
        guard operands.count == 2 else {
            throw UsageError("\(operands[0]) takes only \(what); \"\(operands[2])\" is unexpected")
        }
        return operands[1]
    }

    private static func page(_ text: String?) throws(UsageError) -> Int {
        guard let text else { return 1 }
        guard let page = Int(text), page > 0 else {
            throw UsageError("--page needs a whole number from 1, not \"\(text)\"")
        }
        return page
    }

    /// Separates options and their values from operands.
    private static func sort(_ words: some Collection<String>) throws(UsageError) -> ([String], [Option: String]) {
        var operands: [String] = []
        var options: [Option: String] = [:]
        var rest = words.makeIterator()
        while let word = rest.next() {
            guard word.hasPrefix("-") else {
                operands.append(word)
                continue
            }
            let name = word.prefix { $0 != "=" }
            guard let option = Option(rawValue: String(name)) else {
                let hint = hint(name, in: Option.allCases.map(\.rawValue))
                throw UsageError("unknown option \(name)\(hint)")
            }
            var value = name.endIndex < word.endIndex ? String(word[name.endIndex...].dropFirst()) : nil
            if option.takesValue {
                value = value ?? rest.next()
                guard let value, !value.isEmpty, !value.hasPrefix("--") else {
                    throw UsageError("\(name) needs a value")
                }
            } else if value != nil {
                throw UsageError("\(name) takes no value")
            }
            options[option] = value ?? ""
        }
        return (operands, options)
    }

    /// The end of an error message about an unknown word. This text suggests the most similar valid word, or lists all
    /// valid words if none is similar.
    private static func hint(_ name: some StringProtocol, in candidates: [String]) -> String {
        let distances = candidates.map { (name: $0, distance: $0.difference(from: name).count) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= 3 else {
            return "; use one of \(candidates.joined(separator: ", "))"
        }
        return "; did you mean \(nearest.name)?"
    }
}
