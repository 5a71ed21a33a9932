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

    private func answer(
        in process: ProcessEnvironment, isStandalone: Bool = true, isTestProcess: Bool = false
    ) -> Answer {
        let answering = ResponderSelection(
            Self.withURL, isStandalone: isStandalone, process: process, isTestProcess: isTestProcess,
            transport: StubTransport(200), givenScope: APIScope(), madeIn: nil)
        switch answering.decide(for: Route.get("x").mock("user")).responder {
        case .nobody(let error): return .error(error.kind)
        case .network: return .network
        case .mocks: return .mocks
        }
    }

    @Test(arguments: [true, false])
    func `The error of a refused call says first that its environment is the only one there`(isGuess: Bool) async throws
    {
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
        let inRelease = APIError(mocksInReleaseOf: testing).explained(by: testing)
        #expect(inRelease.message.hasPrefix(start) == isGuess)
        let core = ResponderSelection(
            configuration, engine: LinkedClass { nil }, transport: StubTransport(200), givenScope: APIScope(),
            madeIn: nil)
        guard case .nobody(let refusal) = core.decide(for: Route.get("x").mock("user")).responder else {
            Issue.record("an app without the engine answers")
            return
        }
        #expect(refusal.message.hasPrefix(start) == isGuess)
    }

    @Test(arguments: ["sealed", "mocksThenLive", "live"])
    func `An app without the engine refuses the calls that mocks may answer`(network: String) throws {
        let environment = try Environment("Demo", values: ["baseURL": "https://d.invalid", "$network": network])
        var configuration = ClientConfiguration()
        configuration.environment = environment
        let answering = ResponderSelection(
            configuration, engine: LinkedClass { nil }, transport: StubTransport(200), givenScope: APIScope(),
            madeIn: nil)
        switch answering.decide(for: Route.get("x").mock("user")).responder {
        case .nobody(let error):
            #expect(network != "live" && error.kind == .mock)
            #expect(error.message.contains("does not contain FingerpostMocks"))
            #expect(error.message.contains("nothing was sent"))
            let fixes = ["link the product Fingerpost instead of FingerpostCore", "add -ObjC to OTHER_LDFLAGS"]
            #expect(fixes.allSatisfy { error.fix?.contains($0) == true })
        case .network: #expect(network == "live")
        case .mocks: Issue.record("there is no engine")
        }
    }

    /// What the process knows of its environment, and who answers a client that uses it, and one that does not.
    private static let known: [(Result<Environment, EnvironmentError>, using: Answer, standalone: Answer)] = [
        (fails(.notFound, .noFolder), .network, .network),
        (fails(.notFound, .noneSelected), .error(.environment), .network),
        (fails(.notFound), .error(.environment), .error(.environment)),
        (fails(.invalidFile), .error(.environment), .error(.environment)), (sealed, .mocks, .mocks),
        (live, .network, .network),
    ]

    private static func process(_ index: Int) -> ProcessEnvironment {
        ProcessEnvironment { _, _ throws(EnvironmentError) in try known[index].0.get() }
    }

    @Test(arguments: known.indices)
    func `A client with a base URL does without an environment only if there is no folder`(index: Int) {
        #expect(answer(in: Self.process(index), isStandalone: false) == Self.known[index].using)
    }

    @Test(arguments: known.indices)
    func `A sealed process seals clients that do not use its environment`(index: Int) {
        #expect(answer(in: Self.process(index)) == Self.known[index].standalone)
        #expect(answer(in: Self.process(index), isTestProcess: true) == .network)
    }

    // MARK: An environment that was only found

    /// The process of a folder in which nothing asks for an environment.
    private func process(
        _ folder: TemporaryFolder, named asked: String? = nil, kept: ProcessEnvironment.Kept? = nil
    ) -> ProcessEnvironment {
        ProcessEnvironment(
            kept: kept ?? { _, _ in nil },
            find: { name, secrets throws(EnvironmentError) in
                try Environment.load(name ?? asked, from: folder.url, secrets: secrets, needsValues: false)
            },
            load: { name, secrets throws(EnvironmentError) in
                try Environment.load(name ?? asked, from: folder.url, secrets: secrets)
            })
    }

    /// A secret without a value, which fails every client that uses the environment.
    private static let lacking = #""$secrets": ["key"], "key": null"#

    /// What is wrong with an environment, though not whether it is sealed.
    private static let ofValues: [[String: String]] = [
        ["X-Env.json": "{\(lacking)}"], ["X-Env.json": #"{"$secrets": ["key"], "$provided": ["key"], "key": null}"#],
        ["X-Env.json": #"{"host": null}"#], ["X-Env.json": #"{"baseURL": "a.example"}"#],
        ["X-Env.json": #"{"baseURL": "$(API_URL)"}"#], ["X-Env.json": #"{"payBaseURL": "https://a.example/#x"}"#],
        ["Base-Env.json": #"{"port": 1}"#, "X-Env.json": #"{"port": "one"}"#],
        ["Base-Env.json": #"{"api": {"port": 1}}"#, "X-Env.json": #"{"api": "one"}"#],
        ["Base-Env.json": #"{"timeOut": 1}"#, "X-Env.json": #"{"timeout": 1}"#],
        ["X-Env.json": #"{"$secrets": "key", "key": null}"#],
        ["X-Env.json": #"{"$timeout": "soon", "$retry": 0, "$dialect": "other"}"#],
        ["X-Env.json": "{\(lacking)}", "X-Secrets.json": #"{"key": "$(KEY)"}"#],
        ["X-Env.json": #"{"description": "Staging", "$network": "live", \#(lacking)}"#],
        ["Base-Env.json": #"{"$network": "sealed"}"#, "X-Env.json": #"{"$network": "live", \#(lacking)}"#],
        ["Y-Env.json": "{}", "Base-Env.json": "{\(lacking)}"],
    ]

    @Test(arguments: ofValues.indices)
    func `A client with a base URL in code does without the values of an environment that was only found`(index: Int)
        throws
    {
        let folder = try TemporaryFolder(Self.ofValues[index])
        #expect(throws: EnvironmentError.self) { try process(folder).get() }
        #expect(answer(in: process(folder)) == .network)
        let name = try #require(Self.ofValues[index].keys.first { !$0.hasPrefix("Base") && $0.hasSuffix("-Env.json") })
        // Somebody has asked for it.
        #expect(answer(in: process(folder, named: String(name.prefix(1)))) == .error(.environment))
    }

    private static let sealedWithoutValues: [[String: String]] = [
        ["X-Env.json": #"{"$network": "sealed", "host": null}"#],
        ["X-Env.json": #"{"description": "Testing", "host": null}"#],
        ["Base-Env.json": #"{"$network": "sealed"}"#, "X-Env.json": #"{"baseURL": "a.example"}"#],
        ["Base-Env.json": #"{"description": "Testing", "port": 1}"#, "X-Env.json": #"{"port": "one"}"#],
    ]

    @Test(arguments: sealedWithoutValues.indices)
    func `An environment that was only found seals a client with a base URL in code, whatever its values`(index: Int)
        throws
    {
        let folder = try TemporaryFolder(Self.sealedWithoutValues[index])
        #expect(throws: EnvironmentError.self) { try process(folder).get() }
        #expect(answer(in: process(folder)) == .mocks)
        #expect(answer(in: process(folder, named: "X")) == .error(.environment))
    }

    @Test(arguments: [false, true]) func `A key from code that only looks like another one is refused`(
        withoutStrictParser: Bool
    ) throws {
        try LinkedParser.$isHidden.withValue(withoutStrictParser) {
            for key in ["\u{FEFF}$network", " $network"] {
                #expect(throws: EnvironmentError.self, "\(key)") {
                    try Environment("X", values: Parameters(dictionaryLiteral: (key, "live")))
                }
            }
            let environment = try Environment("X", values: ["description": "App"])
            #expect(throws: EnvironmentError.self) { try environment.setting("description", to: "testing") }
            #expect(try environment.setting("description", to: "\u{FEFF}App").description == "\u{FEFF}App")
        }
    }

    /// Files that do not tell for certain whether the environment is sealed.
    private static let uncertain: [[String: String]] = [
        ["X-Env.json": #"{"$network": "seald"}"#], ["X-Env.json": #"{"$network": true}"#],
        ["X-Env.json": #"{"$network": "Live"}"#], ["X-Env.json": #"{"$netwrok": "sealed"}"#],
        ["X-Env.json": #"{"$Network": "sealed"}"#], ["X-Env.json": #"{"$sealed": true}"#],
        ["X-Env.json": #"{"network": "sealed", \#(lacking)}"#],
        ["X-Env.json": #"{"api": {"$network": "sealed"}, \#(lacking)}"#],
        ["X-Env.json": #"{"list": [{"$network": "sealed"}], \#(lacking)}"#],
        ["X-Env.json": #"{"api": {"$network": {}}, \#(lacking)}"#], ["X-Env.json": #"{" $network": "sealed"}"#],
        ["X-Env.json": "{\"\u{FF04}network\": \"sealed\"}"], ["X-Env.json": "{\"description\u{FE0F}\": \"Testing\"}"],
        ["X-Env.json": #"{"description": "testing"}"#], ["X-Env.json": #"{"description": " Testing"}"#],
        ["X-Env.json": #"{"description": 1}"#], ["X-Env.json": #"{"description": null, \#(lacking)}"#],
        ["X-Env.json": #"{"description": {"en": "Testing"}}"#],
        ["X-Env.json": #"{"Description": "Testing", \#(lacking)}"#],
        ["X-Env.json": #"{"descripton": "Testing", \#(lacking)}"#],
        ["Base-Env.json": #"{"description": "App"}"#, "X-Env.json": #"{"description": 1}"#],
        ["Base-Env.json": #"{"description": "App"}"#, "X-Env.json": #"{"Description": "Testing"}"#],
        ["X-Env.json": #"{"$extends": "Y"}"#], ["X-Env.json": #"{"$extends": 1}"#],
        ["X-Env.json": #"{"$extends": "X"}"#], ["X-Env.json": "{}", "Base-Env.json": #"{"$extends": "X"}"#],
        ["X-Env.json": "{"], ["X-Env.json": "[]"],
        ["X-Env.json": "{}", "X-Env.plist": EnvironmentFixture.propertyList("")],
        ["X-Env.json": "{}", "Base-Env.json": "{"], ["X-Env.json": "{\(lacking)}", "X-Secrets.json": "{"],
        ["X-Env.json": "{\(lacking)}", "Base-Secrets.json": "[1]"], ["X-Env.json": "{}", "Base-Env.json/folder": ""],
        ["X-Env.json": "{\(lacking)}", "X-Secrets.json": #"{"description": "Testing"}"#],
        ["X-Env.json": "{\(lacking)}", "X-Secrets.json": #"{"$network": "sealed"}"#],
    ]

    @Test(arguments: uncertain.indices)
    func `An environment of which it is not certain whether it is sealed fails a client with a base URL in code`(
        index: Int
    ) throws {
        let folder = try TemporaryFolder(Self.uncertain[index])
        #expect(throws: EnvironmentError.self) { try process(folder).get() }
        #expect(answer(in: process(folder)) == .error(.environment))
    }

    @Test func `A key that is there twice fails a client with a base URL in code where strict readers see it`() throws {
        for key in ["description", "$network"] {
            let folder = try TemporaryFolder([
                "X-Env.json": #"{"\#(key)": "live", "\#(key)": "live", \#(Self.lacking)}"#
            ])
            let answer = answer(in: process(folder))
            if !LinkedParser.isHidden { #expect(answer == .error(.environment)) }
        }
    }

    @Test func `A choice that an earlier launch kept asks for its environment`() throws {
        let folder = try TemporaryFolder(["X-Env.json": #"{"$switchable": true, \#(Self.lacking)}"#])
        let unreadable = process(folder) { _, _ in throw CocoaError(.fileReadNoPermission) }
        #expect(answer(in: unreadable) == .error(.environment))
        let chosen = process(folder) { _, load in try? load("Staging") }
        #expect(answer(in: chosen) == .error(.environment) && answer(in: process(folder)) == .network)
    }

    @Test(.heavy)
    func `Of the environment variables, those fail such a client that ask for the environment or name its seal`() async
    {
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
        let answering = ResponderSelection(
            Self.withURL, isStandalone: true,
            process: ProcessEnvironment { _, _ throws(EnvironmentError) in try Self.sealed.get() },
            isTestProcess: false, transport: StubTransport(200), givenScope: APIScope(), madeIn: nil)
        guard case .mocks(let mocks) = answering.decide(for: Route.get("x")).responder else {
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
        let error = await scope.run { await #expect(throws: APIError.self) { try await client.send(route) } }
        #expect(error?.kind == .mock)
        return error?.message ?? ""
    }

    @Test func `A message names what seals the call`() async throws {
        #expect(try await message("sealed", scope: nil).hasSuffix("The environment is sealed, so nothing was sent"))
        #expect(try await message("sealed", scope: .sealed).hasSuffix("The environment is sealed, so nothing was sent"))
        #expect(try await message(nil, scope: .sealed).hasSuffix("The scope is sealed, so nothing was sent"))
        let unmocked = try await message("live", scope: .sealed, Route.get("x"))
        #expect(unmocked == "the route has no mock. The scope is sealed, so nothing was sent")
        let user = Route.get("x").mock("user")
        let variant = try await message("mocksThenLive", scope: nil, user, variants: ["user": "other"])
        #expect(!variant.contains("sealed"))
    }
}
