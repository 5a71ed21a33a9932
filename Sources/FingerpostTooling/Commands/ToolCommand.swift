package import FingerpostBuilding
import FingerpostFiles

/// A command of the `fingerpost-cli` tool, with the command's options.
package enum ToolCommand: Hashable, Sendable {
    case help(String)
    case check(path: String, targets: [String], isJSON: Bool)
    case generate(path: String, output: String?)
    case explain(key: String, environment: String?, path: String)
    case verify(path: String, VerifyOptions)

    private static let pathHelp = """
          --path DIR          the folder that contains Environments and Mocks; by default the working directory
        """

    private static let usage = """
        Checks the environments and mocks of an app or a package that uses Fingerpost.

        Usage: fingerpost-cli <command> [options]

        Commands:
          check               reports problems in the files, and differences between environments
          generate            writes Swift accessors for the keys and the mocks
          explain KEY         shows where a value comes from
          verify PATH         checks a built app, archive or executable before you ship it

        Options:
        \(pathHelp)
          --help              shows this, or the help of a command
        """

    private static let usages = [
        "check": """
        Reports problems in the files, and keys that differ between environments.

        Usage: fingerpost-cli check [--json] [--path DIR] [TARGET...]

        Looks at DIR and at the folder of each target. TARGET is such a folder; by default, the targets are the folders
        in DIR/Sources and DIR/Tests. The command of the plugin passes all targets of the package.

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
        "verify": """
        Checks what was built: which environment it selects, which servers it calls, and what users must not get: mocks,
        secrets, the path of the source folder.

        Usage: fingerpost-cli verify PATH [--environment NAME] [--source DIR] [--allow-mocks] [--allow-switching]
               [--json]

        PATH is an .app, .appex, .framework, .xcarchive or executable, or a folder of them. Unzip an .ipa first.

        Options:
          --environment NAME  the environment that the build must select; by default any that is not for tests
          --source DIR        the folder that contains the reviewed Environments and Mocks, to report each difference.
                              The values in its secrets files are searched for in all files of the build
          --allow-mocks       accepts mocks and a sealed environment, as in a demo
          --allow-switching   accepts "$switchable", as in a build for testers
          --json              writes the report as JSON

        The values of secrets are also taken from process variables such as ENV__ANALYTICS__KEY, and never printed. The
        exit code is 0 without errors, 1 if there are errors, and 2 if the usage is wrong or something cannot be read.
        """,
    ]

    /// Parses the tool's arguments.
    ///
    /// - Parameter words: the arguments after the tool's name.
    /// - Throws: a usage error if the command is unknown or its arguments are invalid.
    package init(_ words: [String]) throws(UsageProblem) {
        guard let name = words.first, name != "--help", name != "-h", name != "help" else {
            let asked = words.dropFirst().first
            self = .help(asked.flatMap { Self.usages[$0] } ?? Self.usage)
            if words.isEmpty { throw UsageProblem("missing command", help: Self.usage) }
            return
        }
        let rest = Array(words.dropFirst())
        if let usage = Self.usages[name], rest.contains("--help") || rest.contains("-h") {
            self = .help(usage)
            return
        }
        switch name {
        case "check":
            let arguments = try ToolArguments(rest, options: ["--path"], flags: ["--json"], operands: .max)
            self = .check(
                path: arguments["--path"] ?? ".", targets: arguments.operands, isJSON: arguments.has("--json"))
        case "generate":
            let arguments = try ToolArguments(rest, options: ["--path", "--output"], operands: 0)
            self = .generate(path: arguments["--path"] ?? ".", output: arguments["--output"])
        case "explain":
            let arguments = try ToolArguments(rest, options: ["--path", "--environment"], operands: 1)
            guard let key = arguments.operands.first else {
                throw UsageProblem("explain needs a key, for example: fingerpost-cli explain baseURL")
            }
            self = .explain(key: key, environment: arguments["--environment"], path: arguments["--path"] ?? ".")
        case "verify": self = try Self.verify(rest)
        default:
            throw UsageProblem(
                "unknown \(name.hasPrefix("-") ? "option" : "command") \"\(name)\""
                    + NearestName.hint(name, in: Self.usages.keys))
        }
    }

    private static func verify(_ words: [String]) throws(UsageProblem) -> ToolCommand {
        do throws(UsageProblem) {
            let arguments = try ToolArguments(
                words, options: ["--environment", "--source"], flags: ["--allow-mocks", "--allow-switching", "--json"],
                operands: 1)
            guard let path = arguments.operands.first else {
                throw UsageProblem("verify needs a path, for example: fingerpost-cli verify build/Acme.xcarchive")
            }
            var options = VerifyOptions()
            options.environment = arguments["--environment"]
            options.source = arguments["--source"]
            options.allowsMocks = arguments.has("--allow-mocks")
            options.allowsSwitching = arguments.has("--allow-switching")
            options.isJSON = arguments.has("--json")
            return .verify(path: path, options)
        } catch {
            // CI tells a wrong build from a wrong command line by this code.
            var problem = error
            problem.status = 2
            throw problem
        }
    }
}
