import FingerpostFiles
import Foundation

/// A command of the `fingerpost-cli` tool, with the command's options.
enum ToolCommand: Hashable, Sendable {
    case help(String)
    case check(path: String, targets: [String], isJSON: Bool)
    case generate(path: String, output: String?)
    case explain(key: String, environment: String?, path: String)
    case verify(path: String, VerifyOptions)

    private static let pathHelp = """
          --path DIR          the folder that contains Environments and Mocks; by default the working directory
        """

    private static func usage(_ program: String) -> String {
        """
        Checks the environments and mocks of an app or a package that uses Fingerpost.

        Usage: \(program) <command> [options]

        Commands:
          check               reports problems in the files, and differences between environments
          generate            writes Swift accessors for the keys and the mocks
          explain KEY         shows where a value comes from
          verify PATH         checks a built app, archive or executable before you ship it

        Options:
        \(pathHelp)
          --help              shows this, or the help of a command
        """
    }

    private static let commands = ["check", "generate", "explain", "verify"]

    /// Returns the help text of a command. If there is no such command, returns the help text of the tool.
    private static func usage(_ program: String, of command: String?) -> String {
        switch command {
        case "check":
            """
            Reports problems in the files, and keys that differ between environments.

            Usage: \(program) check [--json] [--path DIR] [TARGET...]

            Looks at DIR and at the folder of each target. TARGET is such a folder, as in Tests/ModelTests; by default,
            the targets are the folders in DIR/Sources and DIR/Tests. `swift package fingerpost check` looks at all
            targets of the package.

            Options:
              --json              writes the report as JSON
            \(pathHelp)

            Secrets files and environment variables are ignored. Files below DIR that were written by `generate` must be up
            to date. The exit code is 0 without errors, 1 if there are errors, and 64 if the usage is wrong.
            """
        case "generate":
            """
            Writes Swift accessors for the environment keys and the mocks, for projects that do not use the plugin.

            Usage: \(program) generate [--output FILE] [--path DIR]

            Options:
              --output FILE       the file to write; by default the Swift is printed
            \(pathHelp)

            Commit the file. The command `check` reports an error when it is out of date.
            """
        case "explain":
            """
            Shows where the value of a key comes from: its file and line, and the values it replaces. Secrets are not
            shown.

            Usage: \(program) explain KEY [--environment NAME] [--path DIR]

            Options:
              --environment NAME  the environment; by default all of them
            \(pathHelp)

            Includes secrets files and environment variables such as ENV__ANALYTICS__HOST, as when an app loads the
            environment. The exit code is 0, 1 if no environment has the key or a file cannot be read, and 64 if the
            usage is wrong.
            """
        case "verify":
            """
            Checks what was built: which environment it selects, which servers it calls, and what users must not get:
            mocks, secrets, the path of the source folder.

            Usage: \(program) verify PATH [options]

            PATH is an .app, .appex, .framework, .xcarchive or executable, or a folder of them. Unzip an .ipa first.

            Options:
              --environment NAME  the environment that the build must select; by default any that is not for tests
              --source DIR        the folder that contains the reviewed Environments, to report each difference, and
                                  Mocks, to find them in the build. The values in the secrets files are searched for
                                  in all files of the build
              --allow-mocks       accepts mocks and a sealed environment, as in a demo
              --allow-switching   accepts "$switchable", as in a build for testers
              --json              writes the report as JSON

            The values of secrets are also taken from environment variables such as ENV__ANALYTICS__KEY, and never printed.
            The exit code is 0 without errors, 1 if there are errors, and 2 if the usage is wrong or something cannot be
            read.
            """
        default: usage(program)
        }
    }

    /// Parses the tool's arguments.
    ///
    /// - Parameters:
    ///   - words: the arguments after the tool's name.
    ///   - program: the text before a command in help texts.
    /// - Throws: a usage error if the command is unknown or its arguments are invalid.
    init(_ words: [String], program: String = ToolProgram.current.name) throws(UsageProblem) {
        do throws(UsageProblem) {
            self = try Self.command(words, program)
        } catch {
            var problem = error
            let command = Self.commands.first { $0 == words.first }.map { " \($0)" } ?? ""
            problem.description +=
                "\n" + (words.isEmpty ? Self.usage(program) : "Run `\(program)\(command) --help` for usage.")
            // This exit code lets CI distinguish an invalid command line from an invalid build.
            if words.first == "verify" { problem.status = 2 }
            throw problem
        }
    }

    private static func command(_ words: [String], _ program: String) throws(UsageProblem) -> ToolCommand {
        guard let name = words.first else { throw UsageProblem("missing command") }
        let rest = Array(words.dropFirst())
        if name == "--help" || name == "-h" || name == "help" {
            if let asked = rest.first, !commands.contains(asked) { throw unknown(asked) }
            return .help(usage(program, of: rest.first))
        }
        if commands.contains(name), rest.contains("--help") || rest.contains("-h") {
            return .help(usage(program, of: name))
        }
        switch name {
        case "check":
            let arguments = try ToolArguments(rest, options: ["--path"], flags: ["--json"], operands: .max)
            return .check(
                path: arguments["--path"] ?? ".", targets: arguments.operands, isJSON: arguments["--json"] != nil)
        case "generate":
            let arguments = try ToolArguments(rest, options: ["--path", "--output"], operands: 0)
            return .generate(path: arguments["--path"] ?? ".", output: arguments["--output"])
        case "explain":
            let arguments = try ToolArguments(rest, options: ["--path", "--environment"], operands: 1)
            guard let key = arguments.operands.first else {
                throw UsageProblem("explain needs a key, for example: \(program) explain baseURL")
            }
            return .explain(key: key, environment: arguments["--environment"], path: arguments["--path"] ?? ".")
        case "verify":
            let arguments = try ToolArguments(
                rest, options: ["--environment", "--source"], flags: ["--allow-mocks", "--allow-switching", "--json"],
                operands: 1)
            guard let path = arguments.operands.first else {
                throw UsageProblem("verify needs a path, for example: \(program) verify build/Acme.xcarchive")
            }
            var options = VerifyOptions()
            options.environment = arguments["--environment"]
            options.source = arguments["--source"]
            options.allowsMocks = arguments["--allow-mocks"] != nil
            options.allowsSwitching = arguments["--allow-switching"] != nil
            options.isJSON = arguments["--json"] != nil
            return .verify(path: path, options)
        default: throw unknown(name)
        }
    }

    private static func unknown(_ word: String) -> UsageProblem {
        let name = word.drop { $0 == "-" }
        let start = word.hasPrefix("-") ? "missing command before the option" : "unknown command"
        return UsageProblem("\(start) \"\(word)\"" + NearestName.hint(String(name), in: commands + ["help"]))
    }
}

/// The name of the program in texts that contain commands. The name depends on how the tool was started.
struct ToolProgram: Sendable {
    /// The command plugin sets this environment variable, so that the tool knows that the plugin has started the tool.
    private static let variable = "FINGERPOST_PROGRAM"

    /// The text before a command.
    let name: String
    /// The text before the command `generate`, which the command plugin does not run.
    let generator: String

    static var current: ToolProgram {
        ToolProgram(startedAs: CommandLine.arguments.first, variables: ProcessInfo.processInfo.environment)
    }

    /// - Parameter path: the path of the program. `swift run` starts a program in the build folder.
    init(startedAs path: String?, variables: [String: String] = [:]) {
        let path = path ?? "fingerpost-cli"
        generator = path.contains(".build/") ? "swift run fingerpost-cli" : path
        name = variables[variable: Self.variable] ?? generator
    }
}
