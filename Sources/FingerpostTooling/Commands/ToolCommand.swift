import FingerpostFiles

/// A command of the `fingerpost-cli` tool, with the command's options.
package enum ToolCommand: Hashable, Sendable {
    case help(String)
    case check(path: String, isJSON: Bool)
    case generate(path: String, output: String?)
    case explain(key: String, environment: String?, path: String)

    private static let pathHelp = """
          --path DIR          the folder that contains Environments and Mocks; by default the working directory
        """

    private static let usage = """
        Checks the environments and mocks of Fingerpost.

        Usage: fingerpost-cli <command> [options]

        Commands:
          check               reports problems in the files, and differences between environments
          generate            writes Swift accessors for the keys and the mocks
          explain KEY         shows where a value comes from

        Options:
        \(pathHelp)
          --help              shows this, or the help of a command
        """

    private static let usages = [
        "check": """
        Reports problems in the files, and keys that differ between environments.

        Usage: fingerpost-cli check [--json] [--path DIR]

        Options:
          --json              writes the report as JSON
        \(pathHelp)

        Secrets files and process variables are ignored. Files below the folder that were written by
        `fingerpost-cli generate` must be up to date. The exit code is 1 if there are errors, and 0 otherwise.
        """,
        "generate": """
        Writes Swift accessors for the environment keys and the mocks, for projects that do not use the plugin.

        Usage: fingerpost-cli generate [--output FILE] [--path DIR]

        Options:
          --output FILE       the file to write; by default the Swift is printed
        \(pathHelp)

        Commit the file. `fingerpost-cli check` reports an error when it is out of date.
        """,
        "explain": """
        Shows where the value of a key comes from: its file and line, and the values it replaces. Secrets are not shown.

        Usage: fingerpost-cli explain KEY [--environment NAME] [--path DIR]

        Options:
          --environment NAME  the environment; by default all of them
        \(pathHelp)

        Includes secrets files and process variables such as ENV__ANALYTICS__HOST, as when an app loads the environment.
        """,
    ]

    /// Parses the tool's arguments.
    ///
    /// - Parameter words: the arguments after the tool's name.
    /// - Throws: a usage error if the command is unknown or its arguments are invalid.
    package init(_ words: some Collection<String>) throws(UsageProblem) {
        guard let name = words.first, name != "--help", name != "-h", name != "help" else {
            let asked = words.dropFirst().first
            self = .help(asked.flatMap { Self.usages[$0] } ?? Self.usage)
            if words.isEmpty { throw UsageProblem("missing command", help: Self.usage) }
            return
        }
        let rest = words.dropFirst()
        if let usage = Self.usages[name], rest.contains("--help") || rest.contains("-h") {
            self = .help(usage)
            return
        }
        switch name {
        case "check":
            let arguments = try ToolArguments(rest, options: ["--path"], flags: ["--json"], operands: 0)
            self = .check(path: arguments["--path"] ?? ".", isJSON: arguments.has("--json"))
        case "generate":
            let arguments = try ToolArguments(rest, options: ["--path", "--output"], operands: 0)
            self = .generate(path: arguments["--path"] ?? ".", output: arguments["--output"])
        case "explain":
            let arguments = try ToolArguments(rest, options: ["--path", "--environment"], operands: 1)
            guard let key = arguments.operands.first else {
                throw UsageProblem("explain needs a key, for example: fingerpost-cli explain baseURL")
            }
            self = .explain(key: key, environment: arguments["--environment"], path: arguments["--path"] ?? ".")
        default:
            throw UsageProblem(
                "unknown \(name.hasPrefix("-") ? "option" : "command") \"\(name)\""
                    + NearestName.hint(name, in: Self.usages.keys))
        }
    }
}
