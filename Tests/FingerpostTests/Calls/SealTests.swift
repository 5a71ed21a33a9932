import CallSupport

@testable import Fingerpost
@testable import FingerpostFiles
@testable import FingerpostMocks

/// Which calls a missing, unreadable or sealed environment keeps from the network.
@Suite(.inTurn, .withAndWithoutStrictParser) struct SealTests {
    private static let sealed = Result { () throws(EnvironmentError) in try Environment("Testing") }
    private static let live = Result { () throws(EnvironmentError) in
        try Environment("Staging", values: ["baseURL": "https://s.invalid"])
    }

    private static func fails(
        _ kind: EnvironmentError.Kind, _ absence: EnvironmentError.Absence? = nil
    ) -> Result<Environment, EnvironmentError> { .failure(EnvironmentError(kind, "no", absence: absence)) }

    /// Who answers a call: true for the network, false for mocks, or the kind of the call's error.
    private enum Answer: Sendable, Equatable {
        case network, mocks
        case error(APIError.Kind)
    }

    /// Who answers does not depend on where the base URL leads.
    private static var withURL: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.baseURL = URL(fileURLWithPath: "/")
        return configuration
    }

    private func responder(
        in process: ProcessEnvironment, isStandalone: Bool = true, isTestProcess: Bool = false
    ) -> Responder {
        ResponderSelection(
            Self.withURL, isStandalone: isStandalone, process: process, isTestProcess: isTestProcess,
            transport: StubTransport(200), givenScope: APIScope(), madeIn: nil
        ).decide(for: Route.get("x")).responder
    }

    private func answer(
        in process: ProcessEnvironment, isStandalone: Bool = true, isTestProcess: Bool = false
    ) -> Answer {
        switch responder(in: process, isStandalone: isStandalone, isTestProcess: isTestProcess) {
        case .nobody(let error): .error(error.kind)
        case .network: .network
        case .mocks: .mocks
        }
    }

    /// The error for a call in an app without the engine of mocks; nil if the call goes to the network.
    private func errorWithoutEngine(_ configuration: ClientConfiguration) throws -> APIError? {
        let selection = ResponderSelection(
            configuration, engine: LinkedClass { nil }, transport: StubTransport(200), givenScope: APIScope(),
            madeIn: nil)
        switch selection.decide(for: Route.get("x").mock("user")).responder {
        case .nobody(let error): return error
        case .network: return nil
        case .mocks: throw APIError(.mock, "there is no engine")
        }
    }

    @Test(arguments: [true, false])
    func `The error of a refused call says first that its environment is the only one`(isGuess: Bool) async throws {
        let folder = try TemporaryFolder(["user.json": "{}"])
        let layers = try Environment("Testing", values: ["baseURL": "https://t.invalid"]).layers
        var configuration = APIClient.Configuration()
        configuration.environment = try Environment(file: nil, layers: layers, isGuess: isGuess)
        configuration.mocks = folder.url
        let client = try APIClient(configuration)
        let error = try await failure { try await client.data(for: Route.get("x").mock("other")) }
        let start = "the environment Testing answers from mocks, and was selected because it is the only one there: "
        #expect(error.message.hasPrefix(isGuess ? start : "there is no mock \"other\""), "\(error)")
        #expect(error.fix?.contains("select it with APP_ENVIRONMENT=Production") == isGuess)
        let testing = try #require(configuration.environment)
        let others = try [
            APIError(mocksInReleaseOf: testing).explained(by: testing), errorWithoutEngine(configuration),
        ]
        #expect(others.map { $0?.message.hasPrefix(start) } == [isGuess, isGuess], "\(others)")
    }

    @Test func `The error of a refused call says that the description seals its environment`() async throws {
        let layers = try Environment("Production", values: ["baseURL": "https://p.invalid", "description": "Testing"])
            .layers
        var configuration = APIClient.Configuration()
        configuration.environment = try Environment(file: nil, layers: layers, isGuess: true)
        let client = try APIClient(configuration)
        let error = try await failure { try await client.data(for: Route.get("x").mock("other")) }
        #expect(
            error.message.hasPrefix(
                "the environment Production answers from mocks, because its description is \"Testing\": there is no"))
        #expect(error.fix?.hasPrefix("write the description \"Production\" to call its server") == true)
    }

    @Test(arguments: ["sealed", "mocksThenLive", "live"])
    func `An app without the engine refuses the calls that mocks may answer`(network: String) throws {
        var configuration = ClientConfiguration()
        configuration.environment = try Environment(
            "Demo", values: ["baseURL": "https://d.invalid", "$network": network])
        let error = try errorWithoutEngine(configuration)
        #expect(error?.kind == (network == "live" ? nil : .mock))
        let parts = [
            "does not contain FingerpostMocks", "nothing was sent",
            "link the product Fingerpost instead of FingerpostCore", "add -ObjC to OTHER_LDFLAGS",
        ]
        if let error { #expect(parts.allSatisfy("\(error.message) \(error.fix ?? "")".contains), "\(error)") }
    }

    /// What the process knows of its environment, and who answers a client that uses it, and one that does not.
    private static let known: [(Result<Environment, EnvironmentError>, using: Answer, standalone: Answer)] = [
        (fails(.notFound, .noFolder), .network, .network),
        (fails(.notFound, .noneSelected), .error(.environment), .network),
        (fails(.notFound), .error(.environment), .error(.environment)),
        (fails(.invalidFile), .error(.environment), .error(.environment)), (sealed, .mocks, .mocks),
        (live, .network, .network),
    ]

    @Test func `A client does without an environment only if there is no folder, and a sealed process seals all`() {
        for (environment, using, standalone) in Self.known {
            let process = ProcessEnvironment { _, _, _ throws(EnvironmentError) in try environment.get() }
            let answers = [
                answer(in: process, isStandalone: false), answer(in: process),
                answer(in: process, isTestProcess: true),
            ]
            #expect(answers == [using, standalone, .network], "\(environment)")
        }
    }

    // MARK: An environment that was only found

    /// The process of a folder in which nothing asks for an environment.
    private func process(
        _ folder: TemporaryFolder, named asked: String? = nil, kept: ProcessEnvironment.Kept? = nil
    ) -> ProcessEnvironment {
        ProcessEnvironment(kept: kept ?? { _, _ in nil }) { name, secrets, needsValues throws(EnvironmentError) in
            try Environment.load(name ?? asked, from: folder.url, secrets: secrets, needsValues: needsValues)
        }
    }

    /// A secret without a value, which fails every client that uses the environment.
    private static let lacking = #""$secrets": ["key"], "key": null"#

    /// The files of an environment X, and of others.
    private static func files(_ x: String, _ others: [String: String] = [:]) -> [String: String] {
        others.merging(["X-Env.json": x]) { $1 }
    }

    /// Who answers a client with a base URL in code, for environments that fail a client that uses them.
    private static let found: [(answer: Answer, folders: [[String: String]])] = [
        // What is wrong is not whether they are sealed.
        (
            .network,
            [
                files("{\(lacking)}"), files(#"{"$secrets": ["key"], "$provided": ["key"], "key": null}"#),
                files(#"{"host": null}"#), files(#"{"baseURL": "a.example"}"#), files(#"{"baseURL": "$(API_URL)"}"#),
                files(#"{"payBaseURL": "https://a.example/#x"}"#), files(#"{"$secrets": "key", "key": null}"#),
                files(#"{"port": "one"}"#, ["Base-Env.json": #"{"port": 1}"#]),
                files(#"{"api": "one"}"#, ["Base-Env.json": #"{"api": {"port": 1}}"#]),
                files(#"{"timeout": 1}"#, ["Base-Env.json": #"{"timeOut": 1}"#]),
                files(#"{"$timeout": "soon", "$retry": 0, "$dialect": "other"}"#),
                files("{\(lacking)}", ["X-Secrets.json": #"{"key": "$(KEY)"}"#]),
                files(#"{"description": "Staging", "$network": "live", \#(lacking)}"#),
                files(#"{"$network": "live", \#(lacking)}"#, ["Base-Env.json": #"{"$network": "sealed"}"#]),
                files("{}", ["Base-Env.json": "{\(lacking)}"]),
            ]
        ),
        // They are sealed, whatever their values.
        (
            .mocks,
            [
                files(#"{"$network": "sealed", "host": null}"#), files(#"{"description": "Testing", "host": null}"#),
                files(#"{"baseURL": "a.example"}"#, ["Base-Env.json": #"{"$network": "sealed"}"#]),
                files(#"{"port": "one"}"#, ["Base-Env.json": #"{"description": "Testing", "port": 1}"#]),
            ]
        ),
        // It is not certain whether they are.
        (
            .error(.environment),
            [
                files(#"{"$network": "seald"}"#), files(#"{"$network": true}"#), files(#"{"$network": "Live"}"#),
                files(#"{"$netwrok": "sealed"}"#), files(#"{"$Network": "sealed"}"#), files(#"{"$sealed": true}"#),
                files(#"{"network": "sealed", \#(lacking)}"#), files(#"{"api": {"$network": {}}, \#(lacking)}"#),
                files(#"{"api": {"$network": "sealed"}, \#(lacking)}"#), files(#"{" $network": "sealed"}"#),
                files(#"{"list": [{"$network": "sealed"}], \#(lacking)}"#),
                files("{\"\u{FF04}network\": \"sealed\"}"), files("{\"description\u{FE0F}\": \"Testing\"}"),
                files(#"{"description": "testing"}"#), files(#"{"description": " Testing"}"#),
                files(#"{"description": 1}"#), files(#"{"description": null, \#(lacking)}"#),
                files(#"{"description": {"en": "Testing"}}"#), files(#"{"Description": "Testing", \#(lacking)}"#),
                files(#"{"descripton": "Testing", \#(lacking)}"#),
                files(#"{"description": 1}"#, ["Base-Env.json": #"{"description": "App"}"#]),
                files(#"{"Description": "Testing"}"#, ["Base-Env.json": #"{"description": "App"}"#]),
                files(#"{"$extends": "Y"}"#), files(#"{"$extends": 1}"#), files(#"{"$extends": "X"}"#), files("{"),
                files("{}", ["Base-Env.json": #"{"$extends": "X"}"#]), files("[]"), files("{}", ["Base-Env.json": "{"]),
                files("{}", ["X-Env.plist": EnvironmentFixture.propertyList("")]),
                files("{\(lacking)}", ["X-Secrets.json": "{"]), files("{\(lacking)}", ["Base-Secrets.json": "[1]"]),
                files("{}", ["Base-Env.json/folder": ""]),
                files("{\(lacking)}", ["X-Secrets.json": #"{"description": "Testing"}"#]),
                files("{\(lacking)}", ["X-Secrets.json": #"{"$network": "sealed"}"#]),
            ]
        ),
    ]

    @Test(arguments: found.indices)
    func `A client with a base URL in code needs the seal of an environment that was only found`(index: Int) throws {
        let (answer, folders) = Self.found[index]
        for files in folders {
            let folder = try TemporaryFolder(files)
            #expect(throws: EnvironmentError.self, "\(files)") { try process(folder).get() }
            // Somebody has asked for the second.
            let answers = [nil, "X"].map { self.answer(in: process(folder, named: $0)) }
            #expect(answers == [answer, .error(.environment)], "\(files)")
        }
    }

    @Test func `A key from code that only looks like another one is refused`() throws {
        for key in ["\u{FEFF}$network", " $network"] {
            #expect(throws: EnvironmentError.self, "\(key)") {
                try Environment("X", values: Parameters(dictionaryLiteral: (key, "live")))
            }
        }
        let environment = try Environment("X", values: ["description": "App"])
        #expect(throws: EnvironmentError.self) { try environment.setting("description", to: "testing") }
        #expect(try environment.setting("description", to: "\u{FEFF}App").description == "\u{FEFF}App")
    }

    @Test func `A key that is there twice fails a client with a base URL in code where strict readers see it`() throws {
        if LinkedParser.isHidden { return }
        for key in ["description", "$network"] {
            let folder = try TemporaryFolder(Self.files(#"{"\#(key)": "live", "\#(key)": "live", \#(Self.lacking)}"#))
            #expect(answer(in: process(folder)) == .error(.environment), "\(key)")
        }
    }

    @Test func `A choice that an earlier launch kept asks for its environment`() throws {
        let folder = try TemporaryFolder(["X-Env.json": #"{"$switchable": true, \#(Self.lacking)}"#])
        let unreadable = process(folder) { _, _ in throw CocoaError(.fileReadNoPermission) }
        let chosen = process(folder) { _, load in try? load("Staging") }
        let answers = [unreadable, chosen, process(folder)].map { answer(in: $0) }
        #expect(answers == [.error(.environment), .error(.environment), .network])
    }

    @Test(.heavy)
    func `Environment variables that ask for the environment or name its seal fail such a client`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(["X-Env.json": #"{"description": "X", "$secrets": ["key"], "key": null}"#])
            for (name, isRefused) in [
                ("APP_ENVIRONMENT", true), ("ENV__DESCRIPTION", true), ("ENV_FILE__DESCRIPTION", true),
                ("ENV__NETWORK", true), ("ENV_FILE__KEY", false), ("ENV__KEYS", false), ("OTHER", false),
            ] {
                setenv(name, "X", 1)
                defer { unsetenv(name) }
                let tests = SealTests()
                #expect(tests.answer(in: tests.process(folder)) == (isRefused ? .error(.environment) : .network))
            }
        }
    }

    @Test func `A message names the environment of the process, which a client may not know`() async throws {
        let sealed = ProcessEnvironment { _, _, _ throws(EnvironmentError) in try Self.sealed.get() }
        guard case .mocks(let mocks) = responder(in: sealed) else {
            Issue.record("mocks do not answer")
            return
        }
        let request = URLRequest(url: try #require(URL(string: "https://s.invalid/x")))
        let error = try await failure { try await mocks.send(request, for: Route.get("x")) }
        #expect(
            error.message == "the route has no mock. The process's environment Testing is sealed, so nothing was sent")
    }

    // MARK: Messages

    private func message(
        _ network: String?, scope: Environment.Network?, _ route: Route = Route.get("x").mock("usr"),
        variants: [MockName: String] = [:]
    ) async throws -> String {
        let folder = try TemporaryFolder(["user.json": "1"])
        let environment = try Environment("Staging", values: ["baseURL": "https://s.invalid", "$network": network])
        let scope = APIScope(environment: environment, network: scope, mocks: folder.url, variants: variants)
        let client = try APIClient { $0.environment = environment }
        return try await scope.run { try await failure(.mock) { try await client.send(route) } }.message
    }

    @Test func `A message names what seals the call`() async throws {
        let messages = try await [
            message("sealed", scope: nil), message("sealed", scope: .sealed), message(nil, scope: .sealed),
            message("live", scope: .sealed, Route.get("x")),
        ]
        let reasons = messages.map { $0.components(separatedBy: "The ").last }
        let texts = ["environment", "environment", "scope", "scope"].map { "\($0) is sealed, so nothing was sent" }
        #expect((reasons, messages[3]) == (texts, "the route has no mock. The \(texts[3])"), "\(messages)")
        let user = Route.get("x").mock("user")
        let variant = try await message("mocksThenLive", scope: nil, user, variants: ["user": "other"])
        #expect(!variant.contains("sealed"))
    }
}
