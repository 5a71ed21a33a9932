import FingerpostFiles

/// What the tool `fingerpost` is asked to do.
package enum ToolCommand: Hashable, Sendable {
    case help(String)
    case check(path: String, isJSON: Bool)
    case generate(path: String, output: String?)
    case explain(key: String, environment: String?, path: String)

    private static let pathHelp = """
          --path DIR          the folder that holds Environments and Mocks; by default the working directory
        """

    private static let usage = """
        Checks the files of Fingerpost: Environments and Mocks.

        Usage: fingerpost <command> [options]

        Commands:
          check               says what is wrong with the files, and where environments differ
          generate            writes the Swift that names the keys and the mocks
          explain KEY         says where a value comes from

        Options:
        \(pathHelp)
          --help              shows this, or the help of a command
        """

    private static let usages = [
        "check": """
        Says what is wrong with the files, and where environments differ in their keys.

        Usage: fingerpost check [--json] [--path DIR]

        Options:
          --json              writes the report as JSON
        \(pathHelp)

        Files of secrets and process variables play no part. Files that `fingerpost generate` wrote below the folder are checked for
        being up to date. The exit code is 1 when there is an error; warnings alone leave it 0.
        """,
        "generate": """
        Writes the Swift that names the keys of the environments and the mocks, for projects that do not use the plugin.

        Usage: fingerpost generate [--output FILE] [--path DIR]

        Options:
          --output FILE       the file to write; by default it is printed
        \(pathHelp)

        Commit the file. `fingerpost check` says when it is out of date.
        """,
        "explain": """
        Says where the value of a key comes from: its file and line, and what it replaces. Secrets are not shown.

        Usage: fingerpost explain KEY [--environment NAME] [--path DIR]

        Options:
          --environment NAME  the environment; by default all of them
        \(pathHelp)

        Files of secrets and process variables such as ENV__ANALYTICS__HOST count, as when an app loads the environment.
        """,
    ]

    /// - Parameter words: what follows the name of the tool.
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
                throw UsageProblem("explain needs a key, for example: fingerpost explain baseURL")
            }
            self = .explain(key: key, environment: arguments["--environment"], path: arguments["--path"] ?? ".")
        default:
            throw UsageProblem(
                "there is no \(name.hasPrefix("-") ? "option" : "command") \"\(name)\""
                    + NearestName.hint(name, in: Self.usages.keys))
        }
    }
}
