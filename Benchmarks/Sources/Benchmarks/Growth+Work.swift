import Fingerpost
import FingerpostCallbacks
import FingerpostCatalog
import FingerpostMocks
import FingerpostStreams
import FingerpostTransfers
import Foundation

extension Growth {
    /// What grows in an app: parameters, headers, forms, catalogs, mocks, scopes, and texts with secrets.
    static let all: [Growth] = {
        #if os(Linux)
            work + secrets + bytes
        #else
            work + secrets
        #endif
    }()

    private static let work = [
        jsonBody, namedParameters, query, form, headers, catalogRoute, duplicateKeys, keys, mocks, variants,
        verifiedServers, verifiedList, verifiedMocks, verifiedSecrets, firstUse, readCalls, nextCalls, endOfTest,
        nestedScopes, siblingScopes, streamedLines, pages, pageOfMock, completions,
    ]

    static let baseURL = URL(string: "https://api.example.com/v1")!

    private static let jsonBody = Growth("json-parameters", 100) { count in
        var parameters = Parameters()
        for number in 0..<count { parameters.append("name\(number)", number) }
        let route = Route.post("x").parameters(parameters)
        return { blackHole(try route.urlRequest(relativeTo: baseURL)) }
    }

    private static let namedParameters = Growth("parameters-by-name", 100) { count in
        {
            var parameters = Parameters()
            for value in 0..<2 { for number in 0..<count { parameters["name\(number)"] = value } }
            blackHole(parameters)
        }
    }

    private static let query = Growth("query-items", 100) { count in
        {
            let route = Route { route in
                for number in 0..<count { route.query.append("name\(number)", number) }
            }
            blackHole(try route.urlRequest(relativeTo: baseURL))
        }
    }

    private static let form = Growth("form-fields", 100) { count in
        {
            var form = MultipartForm()
            for number in 0..<count { form = form.field("name\(number)", "value") }
            blackHole(try Route.post("x").multipart(form).urlRequest(relativeTo: baseURL))
        }
    }

    /// All names have the same length, so that comparing two names cannot end early.
    private static let headers = Growth("headers", 100) { count in
        var headers = HTTPHeaders()
        for number in 0..<count { headers.add(HTTPHeaders.Name(rawValue: "X-Name-\(1_000_000 + number)"), "value") }
        let route = Route { $0.headers = headers }
        return { blackHole(try route.urlRequest(relativeTo: baseURL)) }
    }

    private static let catalogRoute = Growth("catalog-route", 1_000, per: .work, target: .microseconds(8)) { count in
        let endpoints = (0..<count).map { #""endpoint\#($0)": {"path": "users/{id}"}"# }
        let file = #"{"host": "api.example.com", \#(endpoints.joined(separator: ", "))}"#
        let catalog = try EndpointCatalog(data: Data(file.utf8))
        return { blackHole(try catalog.route("endpoint\(count / 2)", ["id": 7])) }
    }

    /// 100,000 keys are 5 MB.
    private static let duplicateKeys = Growth("duplicate-keys", 1_000) { count in
        let endpoint = #""endpoint": {"path": "users/all/of/them/and/more"}"#
        let file = Data("{\(Array(repeating: endpoint, count: count).joined(separator: ",\n"))}".utf8)
        return { blackHole(try? EndpointCatalog(data: file)) }
    }

    private static let keys = Growth("check-keys", 200, target: .milliseconds(500)) { count in
        let root = try folder(0) { _ in "" }.deletingLastPathComponent()
        let environments = root.appendingPathComponent("Environments")
        try FileManager.default.createDirectory(at: environments, withIntermediateDirectories: true)
        let keys = (0..<count).map { "\"key\($0)\": \($0)" }.joined(separator: ",\n")
        try Data("{\(keys)}".utf8).write(to: environments.appendingPathComponent("Staging-Env.json"))
        return check(root)
    }

    private static let mocks = Growth("check-mocks", 20, target: .milliseconds(500)) { count in
        check(try folder(count) { "mock\($0).json" }.deletingLastPathComponent())
    }

    private static let variants = Growth("check-variants", 20, target: .milliseconds(500)) { count in
        check(try folder(count) { $0 == 0 ? "login.json" : "login.variant\($0).json" }.deletingLastPathComponent())
    }

    /// Base URLs of two environments, none of which is the one that clients call by default.
    private static let verifiedServers = Growth("verify-base-urls", 100) { count in
        func environment(_ name: String) -> String {
            let urls = (0..<count).map { #""s\#($0)BaseURL": "https://\#(name)\#($0).acme.app""# }
            return "{\(urls.joined(separator: ",\n"))}"
        }
        return verify(
            try app([
                "Acme.app/Environments/Production-Env.json": environment("a"),
                "Acme.app/Environments/Staging-Env.json": environment("b"),
            ]))
    }

    /// The keys of a dictionary inside a list, which is compared as one value.
    private static let verifiedList = Growth("verify-list-keys", 500) { count in
        let keys = (0..<count).map { #""k\#($0)": \#($0)"# }.joined(separator: ",\n")
        let environment = #"{ "baseURL": "https://api.acme.app", "list": [{\#(keys)}] }"#
        return verify(
            try app([
                "Acme.app/Environments/Production-Env.json": environment,
                "Environments/Production-Env.json": environment,
            ]))
    }

    /// Folders of mocks in a demo.
    private static let verifiedMocks = Growth("verify-mocks", 20) { count in
        var files = ["Acme.app/Environments/Production-Env.json": #"{ "baseURL": "https://api.acme.app" }"#]
        for number in 0..<count { files["Acme.app/\(number)/Mocks/user.json"] = "{}" }
        return verify(try app(files), "--allow-mocks")
    }

    /// Secrets whose values are searched for in the build.
    private static let verifiedSecrets = Growth("verify-secrets", 10) { count in
        let keys = (0..<count).map { #""k\#($0)""# }.joined(separator: ", ")
        let values = (0..<count).map { #""k\#($0)": "s3cr3t-\#($0)-0123456789abcdef""# }.joined(separator: ",\n")
        let nulls = (0..<count).map { #""k\#($0)": null"# }.joined(separator: ",\n")
        let environment =
            #"{ "baseURL": "https://api.acme.app", "$secrets": [\#(keys)], "$optional": [\#(keys)], \#(nulls) }"#
        return verify(
            try app([
                "Acme.app/Environments/Production-Env.json": environment,
                "Environments/Production-Env.json": environment,
                "Environments/Production-Secrets.json": "{\(values)}",
            ]))
    }

    /// Writes an app with some files, and returns the folder that contains it.
    private static func app(_ files: [String: String]) throws -> URL {
        let root = try folder(0) { _ in "" }.deletingLastPathComponent()
        let info = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>CFBundleExecutable</key><string>Acme</string>
            <key>APIEnvironment</key><string>Production</string></dict></plist>
            """
        for (path, text) in files.merging(["Acme.app/Info.plist": info, "Acme.app/Acme": ""], uniquingKeysWith: { $1 })
        {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return root
    }

    private static func verify(_ root: URL, _ option: String? = nil) -> Work {
        let hasSource = FileManager.default.fileExists(atPath: root.appendingPathComponent("Environments").path)
        let source = hasSource ? ["--source", root.path] : []
        return tool(["verify", root.appendingPathComponent("Acme.app").path] + source + [option].compactMap(\.self))
    }

    private static func check(_ root: URL) -> Work { tool(["check", "--path", root.path]) }

    /// Runs `fingerpost-cli` in a process of its own.
    private static func tool(_ arguments: [String]) -> Work {
        let tool = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("fingerpost-cli")
        return {
            let process = Process()
            process.executableURL = tool
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
        }
    }

    /// Each run uses the folder under another URL, because the contents of a folder are kept by URL.
    private static let firstUse = Growth("first-use-of-mocks", 10) { count in
        let folder = try folder(count) { "mock\($0).json" }
        let environment = try Environment(
            "Testing", values: ["baseURL": "https://api.example.com", "$network": "sealed"])
        return {
            var configuration = APIClient.Configuration()
            configuration.environment = environment
            configuration.mocks = URL(string: "\(folder.absoluteString)#\(UUID())")
            let client = try APIClient(configuration)
            for number in 0..<count {
                blackHole(try await client.data(for: Route.get("x").mock(MockName(rawValue: "mock\(number)"))))
            }
        }
    }

    /// The list of calls, read after each call.
    private static let readCalls = Growth("calls-after-each", 50) { count in
        let (scope, client) = try answeringScope()
        return {
            try await scope().run {
                for _ in 0..<count {
                    blackHole(try await client.data(for: Route.get("x").mock("user")))
                    blackHole(Mocks.calls.last?.status)
                }
            }
        }
    }

    private static let nextCalls = Growth("next-of-calls", 50) { count in
        let (scope, client) = try answeringScope()
        return {
            try await scope().run {
                for _ in 0..<count { blackHole(try await client.data(for: Route.get("x").mock("user"))) }
                for _ in 0..<count { blackHole(try await Mocks.next("user")) }
            }
        }
    }

    /// A client, and what makes scopes in which it gets answers.
    private static func answeringScope() throws -> (@Sendable () -> APIScope, APIClient) {
        let environment = try Environment(
            "Testing", values: ["baseURL": "https://api.example.com", "$network": "sealed"])
        let scope = { @Sendable in
            let scope = APIScope(environment: environment)
            scope.run { Mocks.set("user", .status(204)) }
            return scope
        }
        return (scope, APIClient(baseURL: baseURL))
    }

    /// A test that sets the answers of n mocks, calls each of them, and ends.
    private static let endOfTest = Growth("end-of-test", 20) { count in
        let (scope, client) = try answeringScope()
        let inner = scope()
        return {
            await withCheckedContinuation { continuation in
                // A task cannot wait for calls that block.
                DispatchQueue.global().async {
                    EndingTest.run {
                        for number in 0..<count {
                            let mock = MockName(rawValue: "mock\(number)")
                            Mocks.set(mock, .sequence([.status(204)]))
                            inner.run { blackHole(try? client.blocking.data(for: Route.get("x").mock(mock))) }
                        }
                    }
                    continuation.resume()
                }
            }
        }
    }

    private static let nestedScopes = Growth("nested-scopes", 10) { count in
        let folder = try folder(1) { "mock\($0).json" }
        let environment = try Environment(
            "Testing", values: ["baseURL": "https://api.example.com", "$network": "sealed"])
        let client = APIClient(baseURL: baseURL)
        @Sendable func nest(_ depth: Int) async throws {
            guard depth > 0 else {
                blackHole(try await client.data(for: Route.get("x").mock("mock0")))
                return
            }
            try await APIScope().run { try await nest(depth - 1) }
        }
        return { try await APIScope(environment: environment, mocks: folder).run { try await nest(count) } }
    }

    private static let siblingScopes = Growth("scopes-in-a-scope", 100) { count in
        {
            APIScope().run {
                for _ in 0..<count { APIScope().run { Mocks.set("user", .sequence([.status(200)])) } }
            }
        }
    }

    /// The lines of one stream.
    private static let streamedLines = Growth("stream-lines", 1_000) { count in
        let body = Data(String(repeating: "a line of a log\n", count: count).utf8)
        let client = answeringClient { request in Response(status: 200, headers: [:], data: body, request: request) }
        return {
            for try await line in try await client.stream(Route.get("log")).lines { blackHole(line) }
        }
    }

    /// The pages of one list, each of which names the next one.
    private static let pages = Growth("pages", 50) { count in
        let client = answeringClient { request in
            let number = Int(request.url?.query?.dropFirst("page=".count) ?? "") ?? 1
            let link = number < count ? "<\(baseURL)/items?page=\(number + 1)>; rel=\"next\"" : ""
            return Response(status: 200, headers: ["Link": link], data: Data("[1]".utf8), request: request)
        }
        return {
            for try await page in client.pages(Route.get("items"), as: [Int].self, maximum: count) { blackHole(page) }
        }
    }

    /// A call of one of the pages that a mock has. Reading them is not measured.
    private static let pageOfMock = Growth("page-of-a-mock", 50, per: .work) { count in
        let folder = try folder(count) { $0 == 0 ? "list.json" : "list.page\($0).json" }
        for number in 1..<count {
            try Data(#"{"for": "GET /list?size=9&page=\#(number)"}"#.utf8)
                .write(to: folder.appendingPathComponent("list.page\(number).mock.json"))
        }
        let environment = try Environment(
            "Testing", values: ["baseURL": "https://api.example.com", "$network": "sealed"])
        var configuration = APIClient.Configuration()
        configuration.environment = environment
        configuration.mocks = folder
        let client = try APIClient(configuration)
        let route = Route.get("list").query("size", 9).query("page", count / 2).mock("list")
        blackHole(try await client.data(for: route))
        return { blackHole(try await client.data(for: route)) }
    }

    /// Calls with a completion, in progress at once.
    private static let completions = Growth("completions", 50) { count in
        let client = answeringClient { request in Response(status: 204, headers: [:], data: Data(), request: request) }
        return {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            client.request(Route.get("x"), on: .global()) { result in
                                blackHole(result)
                                continuation.resume()
                            }
                        }
                    }
                }
            }
        }
    }

    static func answeringClient(
        _ answer: @escaping @Sendable (URLRequest) -> Response<Data>
    ) -> APIClient {
        APIClient(baseURL: baseURL) { $0.transport = AnsweringTransport(answer: answer) }
    }

    /// Answers without a server.
    private struct AnsweringTransport: Transport {
        let answer: @Sendable (URLRequest) -> Response<Data>

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> { answer(request) }
    }

    /// A mocks folder with this many small files.
    private static func folder(_ count: Int, _ name: (Int) -> String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Fingerpost-\(ProcessInfo.processInfo.processIdentifier)/\(UUID())/Mocks")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in 0..<count { try Data("{}".utf8).write(to: folder.appendingPathComponent(name(number))) }
        return folder
    }
}
