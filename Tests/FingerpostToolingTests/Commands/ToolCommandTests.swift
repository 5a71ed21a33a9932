import TestSupport

@testable import FingerpostBuilding
@testable import FingerpostTooling

@Suite(.inTurn) struct ToolCommandTests {
    @Test func `Arguments are parsed to commands`() throws {
        var options = VerifyOptions()
        (options.environment, options.source, options.isJSON) = ("Production", ".", true)
        (options.allowsMocks, options.allowsSwitching) = (true, true)
        let commands: [String: ToolCommand] = [
            "check": .check(path: ".", targets: [], isJSON: false),
            "check --json --path a": .check(path: "a", targets: [], isJSON: true),
            "check Model Tests/A": .check(path: ".", targets: ["Model", "Tests/A"], isJSON: false),
            "generate --output=o.swift": .generate(path: ".", output: "o.swift"),
            "explain a.b --environment Staging": .explain(key: "a.b", environment: "Staging", path: "."),
            "verify A.app": .verify(path: "A.app", VerifyOptions()),
            "verify --environment Production A.app --source=. --allow-mocks --allow-switching --json":
                .verify(path: "A.app", options),
        ]
        for (line, command) in commands {
            #expect(try ToolCommand(line.components(separatedBy: " ")) == command, "\(line)")
        }
    }

    @Test func `Usage errors suggest the nearest name, and those of verify have a code of their own`() {
        let messages: [([String], String)] = [
            ([], "missing command"),
            (["chekc"], #"unknown command "chekc" (did you mean "check"?)"#),
            (["check", "--jsn"], #"unknown option "--jsn" (did you mean "--json"?)"#),
            (["--chekc"], #"missing command before the option "--chekc" (did you mean "check"?)"#),
            (["--path", ".", "check"], #"missing command before the option "--path""#),
            (["help", "chekc"], #"unknown command "chekc" (did you mean "check"?)"#),
            (["generate", "more"], #"unexpected argument "more""#),
            (["check", "--path"], "--path needs a value"),
            (["check", "--json=1"], "--json takes no value"),
            (["check", "--json", "--json"], "--json is given twice"),
            (["explain"], "explain needs a key, for example: fingerpost-cli explain baseURL"),
            (["verify"], "verify needs a path, for example: fingerpost-cli verify build/Acme.xcarchive"),
            (["verify", "a", "b"], #"unexpected argument "b""#),
            (["verify", "a", "--enviroment", "P"], #"unknown option "--enviroment" (did you mean "--environment"?)"#),
        ]
        for (words, message) in messages {
            let problem = #expect(throws: UsageProblem.self) { try ToolCommand(words, program: "fingerpost-cli") }
            // A wrong command line of verify has not the exit code of a wrong build.
            let found = (problem?.description.components(separatedBy: "\n").first, problem?.status)
            #expect(found == (message, words.first == "verify" ? 2 : 64), "\(words)")
        }
    }

    @Test func `Every command has help`() throws {
        let usages = [
            "--help": "", "-h": "", "help": "", "help check": "check", "check --help": "check",
            "generate -h": "generate", "explain --help": "explain", "verify -h": "verify",
        ]
        for (line, command) in usages {
            let help = try ToolCommand(line.components(separatedBy: " "), program: "swift package fingerpost")
            let text = if case .help(let text) = help { text } else { "no help" }
            #expect(text.contains("Usage: swift package fingerpost \(command)"), "\(line)")
        }
    }

    @Test(
        arguments: [
            ("/home/ada/app/.build/debug/fingerpost-cli", [:], "swift run fingerpost-cli"),
            ("Tools/fingerpost-cli", [:], "Tools/fingerpost-cli"), ("fingerpost-cli", [:], "fingerpost-cli"),
            (nil, [:], "fingerpost-cli"),
            // The command plugin starts the tool under another name.
            (
                "/home/ada/app/.build/debug/fingerpost-cli-tool", ["FINGERPOST_PROGRAM": "swift package fingerpost"],
                "swift package fingerpost"
            ),
        ] as [(String?, [String: String], String)])
    func `Texts tell how to start the program again`(path: String?, variables: [String: String], name: String) {
        let program = ToolProgram(startedAs: path, variables: variables)
        #expect((program.name, program.generator) == (name, variables.isEmpty ? name : "swift run fingerpost-cli"))
        for (words, command) in [(["check", "--jsn"], "\(name) check"), (["chek"], name)] {
            let problem = #expect(throws: UsageProblem.self) { try ToolCommand(words, program: name) }
            #expect(problem?.description.hasSuffix("\nRun `\(command) --help` for usage.") == true)
        }
    }
}
