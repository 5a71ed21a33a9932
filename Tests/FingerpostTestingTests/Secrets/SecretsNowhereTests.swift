import FingerpostCallbacks
import FingerpostDocuments
import FingerpostTransfers

@testable import Fingerpost
@testable import FingerpostTesting

/// Puts thirty secrets everywhere that a call can contain one, lets a server repeat all of them in many forms, and
/// looks for them in everything that the library prints.
@Suite(.inTurn) struct SecretsNowhereTests {
    // MARK: Fixture

    private struct Kind: RawRepresentable, Decodable, Sendable {
        let rawValue: String
        init?(rawValue: String) { return nil }
    }

    private struct Wrong: Decodable, Sendable { let kind: Kind }
    private struct WrongToken: Decodable, Sendable {
        enum CodingKeys: String, CodingKey { case token = "access_token" }

        let token: Kind
    }
    private struct WrongKey: Decodable, Sendable { let by: [String: [String: Int]] }
    private struct WrongPlace: Decodable, Sendable { let at: [Int] }

    private struct Login: Endpoint {
        typealias Response = NoContent
        let route: Route
        var path: RoutePath { "login" }
    }

    private static let ofEnvironment: [Secret] = [
        .environmentFile, .environmentList, .environmentNumber, .environmentVariable, .environmentPath,
        .baseURLPassword,
    ]
    private static let ofRequest: [Secret] = [
        .customAuthorization, .authorization, .apiKeyHeader, .cookie, .quotedCookie, .digest, .clientHeader,
        .queryToken,
        .queryKey, .pathParameter, .configured,
    ]

    /// The environment's folder: its files, and the value of an environment variable.
    private static func secrets() throws -> (fixture: EnvironmentFixture, environment: Fingerpost.Environment) {
        let quoted = { (secret: Secret) throws in
            String(decoding: try JSONEncoder().encode(secret.value), as: UTF8.self)
        }
        let fixture = try EnvironmentFixture([
            "Live-Env.json": """
            {"description": "Live", "baseURL": "https://api:\(Secret.baseURLPassword.value)@api.example.com/v1",
             "$network": "live", "$secrets": ["key", "list", "pin", "variable", "deep.path"],
             "key": null, "list": null, "pin": null, "variable": null, "deep": {"path": null}, "plain": "x"}
            """,
            "Live-Secrets.json": """
            {"key": \(try quoted(.environmentFile)), "list": [\(try quoted(.environmentList))],
             "pin": \(Secret.environmentNumber.value), "variable": "replaced",
             "deep": {"path": \(try quoted(.environmentPath))}}
            """,
        ])
        let environment = try Environment(
            file: fixture.folder["Live-Env.json"],
            layers: fixture.layers("Live", variables: ["ENV__VARIABLE": Secret.environmentVariable.value]))
        return (fixture, environment)
    }

    private static func route(_ method: HTTPMethod) -> Route {
        Route(method: method, path: "x/\(Secret.environmentPath.value);jsessionid=\(raw: Secret.pathParameter.value)/y")
            .query("access_token", Secret.queryToken.value).query("key", Secret.queryKey.value)
            .header(
                "X-Api-Key", Secret.apiKeyHeader.value.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed)!
            )
            .header("Cookie", "sid=\(Secret.cookie.value); theme=\"\(Secret.quotedCookie.value)\"")
            .header("Proxy-Authorization", "Digest username=\"u\", response=\"\(Secret.digest.value)\"")
            .header("Authorization", "Bearer \(Secret.authorization.value)")
    }

    private static func routes() -> [(route: Route, secrets: [Secret])] {
        [
            (route(.get), []),
            (
                route(.post).json(["password": Secret.jsonPassword.value, "device_code": Secret.jsonDeviceCode.value]),
                [.jsonPassword, .jsonDeviceCode]
            ),
            (
                route(.post).encoding(.form).parameters([
                    "client_secret": Secret.formSecret.value, "code_verifier": Secret.formVerifier.value,
                ]),
                [.formSecret, .formVerifier]
            ),
            (
                route(.post).multipart(MultipartForm().field("password", Secret.multipartPassword.value)),
                [.multipartPassword]
            ),
        ]
    }

    private static func client(
        _ environment: Fingerpost.Environment, _ transport: any Transport, middleware: [any Middleware] = []
    ) throws -> APIClient {
        try APIClient {
            $0.environment = environment
            $0.transport = transport
            $0.middleware = middleware
            $0.authorization = .custom(header: "X-Custom", value: Secret.customAuthorization.value)
            $0.headers["X-Client-Token"] = Secret.clientHeader.value
            $0.configure = { request, _ in request.setValue(Secret.configured.value, forHTTPHeaderField: "X-Session") }
        }
    }

    // MARK: Looking

    private static func printed(_ value: Any) -> String {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        if let error = value as? any LocalizedError {
            text += "\n\(error.errorDescription ?? "") \(error.recoverySuggestion ?? "")"
            text += " \((value as? any Error)?.localizedDescription ?? "")"
        }
        return text
    }

    /// Checks that a text, or what is printed of a value, contains no secret, and no character that acts on a terminal.
    ///
    /// - Parameter disguises: true for text that must not contain a secret in Base64 either.
    private static func expectClean(
        _ value: Any, _ place: String, disguises: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = value as? String ?? printed(value)
        let found = text.withCString { text in
            Secret.allCases.filter { secret in
                (disguises ? secret.echoes : secret.plainEchoes).contains { strstr(text, $0) != nil }
            }
        }
        #expect(found.isEmpty, "\(place) shows \(found): \(text.prefix(3000))", sourceLocation: sourceLocation)
        #expect(!text.contains("\u{1B}"), "\(place) shows an escape character", sourceLocation: sourceLocation)
    }

    private static func failure(
        _ place: String, sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Void
    ) async {
        let error = await #expect(throws: APIError.self, sourceLocation: sourceLocation) { try await call() }
        if let error { expectClean(error, place, sourceLocation: sourceLocation) }
    }

    // MARK: Tests

    @Test(.heavy, arguments: 0..<4) func `No error, log or mirror of a call shows a secret`(_ index: Int) async throws {
        let (fixture, environment) = try Self.secrets()
        let (route, more) = Self.routes()[index]
        let secrets = Self.ofRequest + Self.ofEnvironment + more
        let scope = APIScope(environment: environment)
        let folder = fixture.folder
        try await scope.run {
            let client = try Self.client(environment, Echo(status: 500, secrets: secrets))
            Self.expectClean(client, "the client")
            Self.expectClean(client.configuration, "the configuration")
            // A route does not know the environment that it will be sent to.
            Self.expectClean(Self.printed(route).replacing(Secret.environmentPath.echoes[1], with: ""), "the route")
            Self.expectClean(route.headers, "the headers")
            for field in route.headers { Self.expectClean(field, "a field") }
            if let parameters = route.parameters { Self.expectClean(parameters, "the parameters") }
            if let body = route.body { Self.expectClean(body, "the body") }
            await Self.failure("send") { try await client.send(route) }
            await Self.failure("send as") { _ = try await client.send(route, as: Wrong.self) }
            await Self.failure("data") { _ = try await client.data(for: route) }
            await Self.failure("response") { _ = try await client.response(for: route, as: Data.self) }
            await Self.failure("download") { try await client.download(route, to: folder["file"]) }
            await Self.failure("endpoint") { try await client.send(Login(route: route)) }
            await Self.failure("callback") {
                try await withCheckedThrowingContinuation { continuation in
                    client.request(route, on: .global()) { continuation.resume(with: $0) }
                }
            }
            await Self.failure("blocking in a task") { try client.blocking.send(route) }
            await Self.failure("blocking") {
                try await withCheckedThrowingContinuation { continuation in
                    let scope = APIScope.current
                    Thread { scope?.run { continuation.resume(with: Result { try client.blocking.send(route) }) } }
                        .start()
                }
            }
            let request = try route.urlRequest(relativeTo: URL(string: "https://u:\(Secret.userInfo.value)@h.example"))
            let raw = try Self.client(environment, Echo(status: 500, secrets: secrets.filter { $0 != .configured }))
            await Self.failure("raw request") { _ = try await raw.response(for: request) }

            let answering = try Self.client(environment, Echo(status: 200, secrets: secrets))
            await Self.failure("kind") { _ = try await answering.send(route, as: Wrong.self) }
            await Self.failure("token") { _ = try await answering.send(route, as: WrongToken.self) }
            await Self.failure("key") { _ = try await answering.send(route, as: WrongKey.self) }
            await Self.failure("place") { _ = try await answering.send(route, as: WrongPlace.self) }
            let response = try await answering.response(for: route, as: String.self)
            Self.expectClean(response, "the response")
            Self.expectClean(try await answering.response(for: route, as: Data.self), "the data")
        }
        #expect(scope.calls.count > 10)
        Self.expectClean(scope.calls, "the calls")
        Self.expectClean(scope, "the scope")
        for call in scope.calls { Self.expectClean("\(call) \(call.route) \(call.name)", "a call") }
    }

    @Test(.heavy, arguments: 0..<4) func `No error of the app's code shows a secret`(_ index: Int) async throws {
        let environment = try Self.secrets().environment
        let (route, more) = Self.routes()[index]
        let secrets = Self.ofRequest + Self.ofEnvironment + more
        let failing = Failing(secrets: secrets)
        try await APIScope(environment: environment).run {
            await Self.failure("transport") { try await Self.client(environment, failing).send(route) }
            await Self.failure("middleware") {
                try await Self.client(
                    environment, Echo(status: 200, secrets: secrets),
                    middleware: [Failing(secrets: secrets + [.middleware])]
                ).send(route)
            }
            var configuration = try Self.client(environment, Echo(status: 200, secrets: secrets)).configuration
            configuration.validate = { _, _ in throw failing.reason }
            await Self.failure("validate") { try await APIClient(configuration).send(route) }
            configuration.validate = nil
            configuration.authorization = nil
            let known = secrets.filter { $0 != .customAuthorization }
            configuration.configure = { request, _ in
                request.setValue(Secret.configured.value, forHTTPHeaderField: "X-Session")
                throw Failing(secrets: known).reason
            }
            await Self.failure("configure") { try await APIClient(configuration).send(route) }
            await Self.failure("empty segment") {
                try await APIClient(configuration).send(
                    Route(method: .get, path: "x/\("")/y?token=\(raw: Secret.queryToken.value)"))
            }
            var refused = route
            refused.timeout = .zero
            await Self.failure("timeout") { try await APIClient(configuration).send(refused) }
        }
    }

    @Test func `No environment shows a secret`() throws {
        let (fixture, environment) = try Self.secrets()
        Self.expectClean(environment, "the environment")
        for key in environment.keys + ["deep", "$secrets", "missing"] {
            Self.expectClean(environment.explain(key), "explain \(key)")
            do {
                _ = try environment.value(key, as: Kind.self)
                Issue.record("\(key) is no Kind")
            } catch { Self.expectClean(error, "the value of \(key)") }
            do { _ = try environment.value(key, as: [Int: Int].self) } catch {
                Self.expectClean(error, "list of \(key)")
            }
            if let secret = try? environment.value(key, as: Fingerpost.Secret<String>.self) {
                Self.expectClean(secret, "the secret \(key)")
            }
        }
        // Values of the secrets file that nobody declared, and values that are invalid.
        let value = Secret.environmentFile.value.replacingOccurrences(of: "\"", with: "")
        try fixture.folder.write(
            Data(#"{"plain": "$(\#(value))", "stranger": "http:\/\/\#(value)", "key": "${\#(value)}"}"#.utf8),
            to: "Live-Secrets.json")
        let layers = try fixture.layers("Live")
        #expect(layers.problems.count > 2)
        for text in layers.problems.map(\.description)
            + ["plain", "stranger", "key"].map({
                layers.explanation(of: $0)
            })
        {
            #expect(!text.contains(value), "\(text)")
        }
    }

    @Test(.heavy) func `No recording, drift or audit shows a secret`() async throws {
        let (fixture, environment) = try Self.secrets()
        let folder = try TemporaryFolder(["page.json": #"{"access_token": "made-up", "by": {}}"#])
        for (index, (route, more)) in Self.routes().enumerated() {
            let secrets = Self.ofRequest + Self.ofEnvironment + more
            let recorder = try RecordingMiddleware(
                environment: environment, recorder: MockRecorder(folder: folder.url), tell: { _ in }, variables: [:])
            for status in [200, 500] {
                let client = try Self.client(
                    environment, Echo(status: status, secrets: secrets), middleware: [recorder])
                _ = try? await APIScope(environment: environment).run {
                    try await client.data(for: route.mock(MockName(rawValue: "recorded\(index)")))
                }
            }
            #expect(!recorder.lines.isEmpty)
            Self.expectClean(recorder.lines.joined(separator: "\n"), "the recorder", disguises: true)
            Self.expectClean(recorder, "the recorder", disguises: true)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            Self.expectClean(
                String(decoding: try Data(contentsOf: folder[name]), as: UTF8.self), "the file \(name)", disguises: true
            )
        }

        var wrong = Self.route(.get).mock("page")
        wrong.responseType = Wrong.self
        let secrets = Self.ofRequest + Self.ofEnvironment
        for status in [200, 500] {
            let drift = try await MockDrift(
                client: Self.client(environment, Echo(status: status, secrets: secrets)), environment: "Live",
                options: .init(
                    routes: [wrong, Self.route(.get).mock("page"), Self.route(.post).mock("page")],
                    environments: fixture.folder.url, folder: folder.url))
            #expect(!drift.findings.isEmpty)
            Self.expectClean(drift.report, "the drift report", disguises: true)
            Self.expectClean(drift, "the drift", disguises: true)
        }
        let body = try await Echo(status: 200, secrets: secrets).send(
            URLRequest(url: try #require(URL(string: "https://h.example/target"))), for: wrong
        ).data
        let mocks = try TemporaryFolder()
        try mocks.write(body, to: "Mocks/page.json")
        for name in ["Live-Env.json", "Live-Secrets.json"] {
            try mocks.write(Data(contentsOf: fixture.folder[name]), to: "Environments/\(name)")
        }
        let audit = try MockAudit(options: .init(routes: [wrong], folder: mocks["Mocks"]))
        #expect(!audit.findings.isEmpty)
        Self.expectClean(audit.findings.map(\.description).joined(), "the findings of the audit", disguises: true)
        Self.expectClean(audit, "the audit", disguises: true)
    }
}
