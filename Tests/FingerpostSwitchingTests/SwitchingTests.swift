import FingerpostFiles
import TestSupport

@testable import Fingerpost
@testable import FingerpostSwitching

/// The environment that testers choose in an installed app.
@Suite(.inTurn) struct SwitchingTests {
    private let folder: TemporaryFolder
    private let name: StoredChoice

    init() throws {
        folder = try TemporaryFolder([
            "Environments/Base-Env.json": #"{"$switchable": true, "title": "base"}"#,
            "Environments/Live-Env.json": #"{"baseURL": "https://live.invalid"}"#,
            "Environments/Staging-Env.json": #"{"baseURL": "https://staging.invalid", "title": "staging"}"#,
            "Environments/Testing-Env.json": #"{"description": "Testing", "baseURL": "https://t.invalid"}"#,
            "Environments/Broken-Env.json": "{",
            "Environments/Secret-Env.json":
                #"{"baseURL": "https://s.invalid", "$secrets": ["key"], "$provided": ["key"], "key": null}"#,
        ])
        name = StoredChoice(file: folder["kept/environment"])
    }

    private func process(
        _ usual: String = "Live", isTestProcess: Bool = false, variables: [String: String] = [:],
        name: StoredChoice? = nil
    ) -> Process {
        let folder = folder
        let rules = SwitchRules(name: name ?? self.name, isTestProcess: isTestProcess, variables: variables)
        let environment = ProcessEnvironment(kept: rules.kept) { name, secrets, _ throws(EnvironmentError) in
            try Environment.load(name ?? usual, from: folder["Environments"], secrets: secrets)
        }
        return Process(environment: environment, switch: EnvironmentSwitch(of: environment, by: rules))
    }

    /// A process that keeps what it chooses.
    private struct Process: Sendable {
        let environment: ProcessEnvironment
        let `switch`: EnvironmentSwitch

        func get() throws(EnvironmentError) -> Environment { try environment.get() }
        func usual() throws(EnvironmentError) -> Environment { try environment.usual() }
        func choose(_ name: String?) throws(EnvironmentError) { try `switch`.choose(name) }
        var changes: AsyncStream<String> { `switch`.changes }
    }

    private func report(_ error: EnvironmentError?) -> String? { error.map { folder.relative($0.description) } }

    @Test func `A choice is followed, kept with its mark for the next launch, and taken back`() throws {
        func current(_ process: Process) throws -> String {
            try "\(process.get().name)\(process.get().isChosen ? ", chosen" : "")"
        }
        let first = process()
        var seen = [try current(first)]
        try first.choose("Staging")
        let second = process()
        seen += try [current(first), current(second)]
        try second.choose(nil)
        seen.append(try current(second))
        try second.choose("Staging")
        try second.choose("Live")
        seen += try [current(second), current(process())]
        // A setting that is replaced keeps the mark.
        try second.choose("Staging")
        let isMarked = try second.get().setting("title", to: "other").isChosen
        #expect((seen, isMarked) == (["Live", "Staging, chosen", "Staging, chosen", "Live", "Live", "Live"], true))
    }

    @Test func `A choice that cannot be used changes nothing`() throws {
        let choices = [
            ("Stagign", "\"Stagign\"", "did you mean \"Staging\"?"),
            ("Testing", "the environment \"Testing\" is sealed, so no call would reach a server", "with a server"),
            ("Broken", "Broken-Env.json:1", "unexpected"),
            ("Secret", "the secret \"key\" has no value", "call APIEnvironment.bootstrap(secrets:) at launch"),
        ]
        let process = process()
        try process.choose("Staging")
        for (choice, message, fix) in choices {
            let text = try #require(report(#expect(throws: EnvironmentError.self) { try process.choose(choice) }))
            #expect(text.contains(message) && text.contains(fix), "\(text)")
            let found = try (process.get().name, name.read())
            #expect(found == ("Staging", "Staging"))
        }
    }

    @Test func `Tests, seals, environment variables and committed files forbid a choice`() throws {
        let allowed = #"{"$switchable": true}"#
        try folder.write(Data("{}".utf8), to: "Environments/Base-Env.json")
        let forbidden = process()
        #expect(
            report(#expect(throws: EnvironmentError.self) { try forbidden.choose("Staging") })?
                .contains("the environment Live does not allow switching") == true)
        try folder.write(Data(allowed.utf8), to: "Environments/Base-Env.json")
        let cases: [(Process, String)] = [
            (process(isTestProcess: true), "a test cannot choose"),
            (process("Testing"), "the environment Testing is sealed"),
            (process(variables: ["APP_ENVIRONMENT": "Live"]), "the environment variable APP_ENVIRONMENT selects"),
        ]
        for (process, message) in cases {
            let before = try process.get().name
            let text = report(#expect(throws: EnvironmentError.self) { try process.choose("Staging") })
            #expect(text?.contains(message) == true, "\(text ?? "no error")")
            #expect(try process.get().name == before)
        }
        #expect(try name.read() == nil)
    }

    @Test func `A kept choice that cannot be used falls back`() throws {
        let names = try ["Gone", "Testing", "Broken", "../Live", "", "L\u{0}"].map { kept in
            try name.write(kept)
            return try process().get().name
        }
        #expect(names == Array(repeating: "Live", count: 6))
    }

    /// A system that cannot read the name at first, such as one with too many open files.
    @Test func `A choice that cannot be read is not taken for none`() throws {
        let isReadable = Locked(false)
        let name = StoredChoice {
            if isReadable.withLock({ $0 }) { return "Staging" }
            throw POSIXError(.EMFILE)
        } write: { _ in
        }
        let process = process(name: name)
        var names = try [process.get().name, process.usual().name]
        isReadable.withLock { $0 = true }
        #expect(try process.get().isChosen)
        names.append(try process.get().name)
        isReadable.withLock { $0 = false }
        names.append(try process.get().name)
        let other = self.process(name: name)
        try other.choose(nil)
        isReadable.withLock { $0 = true }
        // What was chosen since then counts.
        names.append(try other.get().name)
        #expect(names == ["Live", "Live", "Staging", "Staging", "Live"])
    }

    @Test func `A file in whose place something else is cannot be read, and one of others chooses nothing`() throws {
        var read = [try name.read()]
        try name.write("Staging")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder["kept/environment"].path)
        read.append(try name.read())
        #expect(read == [nil, nil])
        try folder.write(Data(), to: "file")
        #expect(throws: POSIXError(.ENOTDIR)) { try StoredChoice(file: folder["file/environment"]).read() }
    }

    @Test func `A kept choice counts only where it is allowed`() throws {
        try name.write("Staging")
        let forbidden = [process(variables: ["APP_ENVIRONMENT": "Live"]), process(isTestProcess: true)]
        var names = try forbidden.map { try $0.get().name }
        try folder.write(Data("{}".utf8), to: "Environments/Base-Env.json")
        names.append(try process().get().name)
        #expect(names == ["Live", "Live", "Live"])
    }

    @Test func `A choice that cannot be kept is not made`() throws {
        try folder.write(Data(), to: "kept")
        let process = process()
        let text = report(#expect(throws: EnvironmentError.self) { try process.choose("Staging") })
        #expect(text?.contains("the choice of an environment cannot be kept") == true, "\(text ?? "no error")")
        #expect(try process.get().name == "Live")
    }

    @Test func `Each loop hears of each change`() async throws {
        let process = process()
        var (one, other) = (process.changes.makeAsyncIterator(), process.changes.makeAsyncIterator())
        try process.choose("Staging")
        try process.choose("Staging")
        let first = await one.next()
        try process.choose(nil)
        // The other loop was slow.
        #expect(await [first, one.next(), other.next()] == ["Staging", "Live", "Live"])
    }

    @Test func `Choices of many threads leave one, which is the one that is kept`() async throws {
        let process = process()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    #expect(throws: Never.self) { try process.choose(index.isMultiple(of: 2) ? "Staging" : nil) }
                    #expect(throws: Never.self) { try process.get() }
                }
            }
        }
        #expect(try process.get().name == name.read() ?? "Live")
    }

    @Test func `A launch finds what was chosen by the name of a class`() {
        #expect(NSClassFromString("FingerpostSwitching.StoredEnvironmentLoader") is any ChosenEnvironmentLoader.Type)
    }

    @Test func `A process without the product says that a choice is not used`() throws {
        func warning() -> String? { ChosenFile.warning(about: folder["kept/environment"]) }
        let before = warning()
        try name.write("Staging")
        let text = try #require(warning())
        try name.write(nil)
        #expect([before, warning()] == [nil, nil])
        #expect(text.contains("does not contain FingerpostSwitching") && !text.contains("Staging"), "\(text)")
    }
}
