import Foundation

/// The environment variables of the process that override an environment's values. For the key
/// `analytics.host`, `ENV__ANALYTICS__HOST` contains the value itself, and `ENV_FILE__ANALYTICS__HOST` contains the
/// path of a file with the value.
///
/// Only keys declared in a file can be overridden. The variable's text is parsed as the type of the declared value.
package struct EnvironmentVariables: Sendable {
    private static let prefix = "ENV__"
    private static let filePrefix = "ENV_FILE__"

    private let variables: [String: String]

    /// - Parameter variables: the variables of the process. Variables whose names do not start with `ENV__` or
    ///   `ENV_FILE__` are ignored.
    init(_ variables: [String: String]) {
        self.variables = variables.filter { $0.key.hasPrefix(Self.prefix) || $0.key.hasPrefix(Self.filePrefix) }
    }

    /// The name of the variable that overrides a key: `ENV__API_BASE_PATH` for `apiBasePath`.
    package static func name(for path: String) -> String { prefix + stem(path) }

    /// Overrides an environment's values with the values of the environment variables.
    func apply(to environment: inout LayeredEnvironment) {
        guard !variables.isEmpty else { return }
        let paths = Dictionary(grouping: environment.paths, by: Self.stem)
        for (name, text) in variables.ordered(by: { $0.key < $1.key }) {
            do throws(FileProblem) { try apply(name, text, to: &environment, paths) } catch {
                let key = name.components(separatedBy: "__").dropFirst().joined(separator: "__")
                environment.problems.append(
                    ValueSource.variable(name).problem(error.message, fix: error.fix).ofValue(at: key))
            }
        }
    }

    /// Replaces the value of the key that a variable names.
    ///
    /// - Parameter paths: the paths of the environment's keys. Each path is stored under the text that follows the
    ///   prefix in the name of its variable.
    /// - Throws: an error whose message does not contain the variable's name, because the caller adds it.
    private func apply(
        _ name: String, _ text: String, to environment: inout LayeredEnvironment, _ paths: [String: [String]]
    ) throws(FileProblem) {
        let isFile = name.hasPrefix(Self.filePrefix)
        let prefix = isFile ? Self.filePrefix : Self.prefix
        let stem = String(name.dropFirst(prefix.count))
        let isUnset = variables[variable: name] == nil
        guard let candidates = paths[stem] else {
            if environment.isIncomplete || isUnset { return }
            let known = paths.keys.map { prefix + $0 }
            throw FileProblem(
                "it matches no key of the environment" + NearestName.hint(name, in: known),
                fix: "correct its name, or declare the key in a file")
        }
        for path in isUnset ? candidates : [] { environment.emptyVariables[path] = name }
        if isUnset { return }
        guard candidates.count == 1, let path = candidates.first, let declared = environment[path] else {
            throw FileProblem(
                "it matches more than one key: \(candidates.joined(separator: ", "))", fix: "rename one of them")
        }
        if path == LayeredEnvironment.descriptionKey {
            throw FileProblem(
                "an environment variable cannot replace the description, because the description can seal the environment",
                fix: "unset it; to use another environment, set APP_ENVIRONMENT")
        }
        if isFile, variables[variable: Self.prefix + stem] != nil {
            throw FileProblem("\(Self.prefix + stem) is also set", fix: "unset one of them")
        }
        let text = isFile ? try Self.contents(ofFile: text) : text
        // If the file is empty, the variable counts as unset, because an empty text is never a secret.
        if text.isEmpty, declared.typical.isNull || environment.rules.secrets.contains(path) {
            environment.emptyVariables[path] = name
            return
        }
        let value = try Self.value(text, like: declared.typical, parser: environment.parser)
        environment.replace(path, with: Node(value), from: .variable(name))
        if case .string(let text) = value, let flaw = Self.flaw(of: text) {
            var problem = ValueSource.variable(name).problem(flaw, fix: "remove it, if it is not part of the value")
            problem.details.severity = .warning
            environment.problems.append(problem)
        }
    }

    /// Describes quotes or a carriage return in a value. A shell would have removed these characters, but other
    /// programs that set variables keep them. Returns nil for other text.
    private static func flaw(of text: String) -> String? {
        if text.utf8.last == UInt8(ascii: "\r") { return "its value ends with a carriage return" }
        let isQuoted = ["\"", "'"].contains { text.utf8.count > 1 && text.begins(with: $0) && text.ends(with: $0) }
        return isQuoted ? "its value is in quotes" : nil
    }

    // MARK: Values

    private static func contents(ofFile path: String) throws(FileProblem) -> String {
        do throws(FileProblem) {
            let data = try EnvironmentFile.contents(of: URL(fileURLWithPath: path), path: path)
            guard let text = String(bytes: data, encoding: .utf8) else {
                throw FileProblem(path: path, message: "the file is not UTF-8")
            }
            // Editors end a file with a line break, which is not part of the value.
            return text.last == "\n" || text.last == "\r\n" ? String(text.dropLast()) : text
        } catch {
            throw FileProblem("\(error.location): \(error.message)", fix: "correct the path or the file")
        }
    }

    /// - Parameter parser: reads a list; nil for Foundation.
    static func value(
        _ text: String, like declared: Node.Value, parser: (any StrictParsing.Type)?
    ) throws(FileProblem) -> Node.Value {
        let value: Node.Value? =
            switch declared {
            // An empty text is not a URL.
            case .string where text.isEmpty && KeyType(declared) == .url: nil
            case .string, .null, .date, .data: Node.Value.string(text).converted(toKindOf: declared)
            case .boolean:
                switch text.lowercased() {
                case "true", "1", "yes": .boolean(true)
                case "false", "0", "no": .boolean(false)
                default: nil
                }
            case .integer: Int64(text).map(Node.Value.integer)
            case .real: Double(text).flatMap { $0.isFinite ? .real($0) : nil }
            // For invalid JSON, the value is nil, and the error thrown below says that the text is not a list.
            case .array:
                (try? EnvironmentFile.document(Data(text.utf8), parser: parser))?.root.elements.map(Node.Value.array)
            case .dictionary: nil
            }
        guard let value else {
            // The message does not show the variable's text, because somebody may have put a secret in the wrong
            // variable.
            throw FileProblem(
                text.isEmpty
                    ? "it is empty, but the key is \(KeyType(declared) == .url ? "a URL" : declared.kind)"
                    : "its value is not \(declared.kind)",
                fix: text.isEmpty ? "unset it, or give it a value" : "write \(form(of: declared))")
        }
        return value
    }

    /// Returns an example of the text that a variable contains for a value of this kind.
    private static func form(of value: Node.Value) -> String {
        switch value {
        case .string, .null: "text"
        case .boolean: "true or false"
        case .integer: "digits, such as 30"
        case .real: "a number, such as 0.5"
        case .date: "it as 2026-01-31T12:00:00Z"
        case .data: "it as base64"
        case .array: #"it as JSON, such as ["a", "b"]"#
        case .dictionary: "one variable for each of its keys"
        }
    }

    // MARK: Names

    /// Returns the text after the prefix in the variable name for a key: `ANALYTICS__SAMPLE_RATE` for
    /// `analytics.sampleRate`.
    private static func stem(_ path: String) -> String {
        path.words(between: ".").map(snakeCase).joined(separator: "__")
    }

    /// Returns a name in the form of a variable's name: `API_KEY` for `apiKey`.
    package static func snakeCase(_ name: Substring) -> String {
        let characters = Array(name)
        var words = ""
        for (index, character) in characters.enumerated() {
            let previous = index > 0 ? characters[index - 1] : nil
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            // A word starts at an uppercase letter that follows a lowercase letter or digit, and at the last uppercase
            // letter of a run, such as the K in baseURLKey.
            if character.isUppercase, let previous,
                previous.isLowercase || previous.isNumber || previous.isUppercase && next?.isLowercase == true
            {
                words.append("_")
            }
            words.append(character.isLetter || character.isNumber ? character : "_")
        }
        return words.uppercased()
    }
}

extension [String: String] {
    /// The value of an environment variable; nil if the variable is not set or empty. CI systems set variables without
    /// a value to an empty text.
    package subscript(variable name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
