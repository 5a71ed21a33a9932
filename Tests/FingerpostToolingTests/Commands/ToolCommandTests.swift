import TestSupport

@testable import FingerpostBuilding
@testable import FingerpostTooling

@Suite(.inTurn) struct ToolCommandTests {
    @Test(
        arguments: [
            (["check"], .check(path: ".", targets: [], isJSON: false)),
            (["check", "--json", "--path", "a"], .check(path: "a", targets: [], isJSON: true)),
            (["check", "Model", "Tests/A"], .check(path: ".", targets: ["Model", "Tests/A"], isJSON: false)),
            (["generate", "--output=o.swift"], .generate(path: ".", output: "o.swift")),
            (["explain", "a.b", "--environment", "Staging"], .explain(key: "a.b", environment: "Staging", path: ".")),
        ] as [([String], ToolCommand)])
    func `Arguments are parsed to commands`(words: [String], command: ToolCommand) throws {
        #expect(try ToolCommand(words) == command)
    }

    @Test(
        arguments: [
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
        ] as [([String], String)])
    func `Usage errors suggest the nearest name`(words: [String], message: String) {
        let problem = #expect(throws: UsageProblem.self) { try ToolCommand(words, program: "fingerpost-cli") }
        #expect(problem?.description.hasPrefix(message + "\n") == true, "\(String(describing: problem))")
    }

    @Test(arguments: [
        ["--help"], ["-h"], ["help"], ["help", "check"], ["check", "--help"], ["generate", "-h"],
        ["explain", "--help"], ["verify", "-h"],
    ])
    func `Every command has help`(words: [String]) throws {
        guard case .help(let text) = try ToolCommand(words, program: "swift package fingerpost") else {
            Issue.record("this is not help")
            return
        }
        #expect(text.contains("Usage: swift package fingerpost "))
        let command = words.first { !["help", "--help", "-h"].contains($0) }
        #expect(command.map { text.contains("Usage: swift package fingerpost \($0)") } != false)
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
        let problem = #expect(throws: UsageProblem.self) { try ToolCommand(["check", "--jsn"], program: name) }
        #expect(problem?.description.hasSuffix("\nRun `\(name) check --help` for usage.") == true)
        let unknown = #expect(throws: UsageProblem.self) { try ToolCommand(["chek"], program: name) }
        #expect(unknown?.description.hasSuffix("\nRun `\(name) --help` for usage.") == true)
    }

    @Test func `The options of verify are parsed`() throws {
        var options = VerifyOptions()
        #expect(try ToolCommand(["verify", "A.app"]) == .verify(path: "A.app", options))
        (options.environment, options.source, options.isJSON) = ("Production", ".", true)
        (options.allowsMocks, options.allowsSwitching) = (true, true)
        let words = [
            "verify", "--environment", "Production", "A.app", "--source=.", "--allow-mocks", "--allow-switching",
            "--json",
        ]
        #expect(try ToolCommand(words) == .verify(path: "A.app", options))
    }

    @Test func `A wrong command line of verify has the exit code 2, and not that of a wrong build`() {
        let verify = #expect(throws: UsageProblem.self) { try ToolCommand(["verify", "a", "--jsn"]) }
        #expect(verify?.status == 2)
        let check = #expect(throws: UsageProblem.self) { try ToolCommand(["check", "--jsn"]) }
        #expect(check?.status == 64)
    }
}
