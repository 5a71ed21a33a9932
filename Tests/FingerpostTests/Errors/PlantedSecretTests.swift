import CallSupport
import FingerpostCallbacks
import FingerpostMocks
import FingerpostStreams
import FingerpostTransfers

@testable import Fingerpost

/// Walks the public types, each with a secret in it.
@Suite(.inTurn) struct PlantedSecretTests {
    private static let secret = "planted-Secret-0123456789"

    private struct Signing: Middleware {
        let secret: String

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            try await next(request)
        }
    }

    /// Types that contain no text of a request, a response or a store, and those whose text is the app's own, as it
    /// comes: a value, an event, a mock's name.
    private static let others: Set = [
        "ArrayStyle", "AuthorizationPolicy", "Backoff", "BooleanStyle", "CallLogger", "DateStyle", "Direction", "Kind",
        "Level", "MockName", "MockScenario", "Mocks", "Name", "NestingStyle", "Network", "NoBody", "NoContent",
        "NotImported", "Paging", "ParameterEncoding", "QueryDialect", "RateLimit", "RedirectPolicy", "ResponseSource",
        "ResponseWrapper", "RetryDecision", "RetryPolicy", "ServerSentEvent", "StatusPolicy", "StreamEnding",
        "StreamLimits", "StringInterpolation", "TransferProgress", "HTTPMethod", "JSONValue", "Problem",
    ]

    /// A value of each of the other types, by its name.
    private static func values() async throws -> [String: any Sendable] {
        let baseURL = try #require(URL(string: "https://u:\(secret)@api.example.com"))
        let environment = try Environment(
            "Live", values: ["baseURL": "https://u:\(secret)@h.example", "key": secret, "$secrets": ["key"]])
        let route = Route.post("x;sid=\(raw: secret)").query("api_key", secret)
            .header("Authorization", "Bearer \(secret)").header("Link", "<https://h.example/?token=\(secret)>")
            .json(["password": secret])
        let transport = StubTransport { _, _ in
            (401, ["Set-Cookie": "sid=\(secret)", "X-Auth-Token": secret], #"{"message": "\#(secret)"}"#)
        }
        let store = InMemoryCredentialStore(secret)
        let client = transport.client {
            $0.environment = environment
            $0.baseURL = baseURL
            $0.authorization = .refreshing(store) { _ in throw CancellationError() }
            $0.headers["X-Api-Key"] = secret
            $0.middleware = [Signing(secret: secret)]
        }
        let scope = APIScope(environment: environment, network: .live)
        let error = try await scope.run { try await failure { try await client.send(route) } }
        let answering = StubTransport(200, ["Set-Cookie": "sid=\(secret)"], secret).client()
        let response = try await answering.response(for: route, as: String.self)
        let call = try #require(scope.calls.first)
        let folder = try TemporaryFolder(["token": secret])
        let values: [String: any Sendable] = [
            "APIClient": client, "ClientConfiguration": client.configuration, "BlockingClient": client.blocking,
            "APIScope": scope, "LoggedCall": call, "APIError": error, "Attempt": error.history, "Response": response,
            "Route": route, "RoutePath": route.path, "HTTPHeaders": route.headers,
            "Field": Array(response.headers) + Array(route.headers), "Parameters": ["password": secret] as Parameters,
            "RequestBody": [
                .json(["password": secret]), .text(secret), .multipart(MultipartForm().field("password", secret)),
            ] as [RequestBody],
            "MultipartForm": MultipartForm().field("password", secret),
            "BodyStream": BodyStream { [secret] in InputStream(data: Data(secret.utf8)) },
            "Authorization": [
                .bearer(secret), .basic(user: secret, password: secret), .custom(header: "X", value: secret),
                .refreshing(store) { _ in secret }, .combined(.bearer(secret), .custom(header: "X", value: secret)),
            ] as [Authorization],
            "ExpiringToken": ExpiringToken(secret, expiresIn: .seconds(60)), "InMemoryCredentialStore": store,
            "FileCredentialStore": FileCredentialStore(folder["token"]),
            "InMemorySecrets": ["key": secret] as InMemorySecrets, "Environment": environment,
            "Secret": try environment.value("key", as: Secret<String>.self),
            "EnvironmentError": try #require(
                throws: EnvironmentError.self, performing: { _ = try environment.value("key", as: URL.self) }),
            "MockResponse": [.json(["access_token": secret]), .status(500)] as [MockResponse],
            "URLSessionTransport": URLSessionTransport(),
            "EventStream": client.events(route), "Pages": client.pages(route, as: String.self),
            "CallTask": client.request(route) { _ in },
        ]
        return values
    }

    @Test func `No description, mirror or dump shows a planted secret`() async throws {
        for (name, value) in try await Self.values() {
            // The text of a path is what is sent, so that code can compare it.
            var text = value is RoutePath ? "" : "\(value)"
            text += " \(String(reflecting: value))"
            dump(value, to: &text)
            let forms = [Self.secret, Data(Self.secret.utf8).base64EncodedString()]
            #expect(forms.filter { text.contains($0) } == [], "\(name): \(text)")
        }
    }

    @Test func `The walk visits every public type that has a secret`() async throws {
        let modules = [
            "Fingerpost", "FingerpostMocks", "FingerpostStreams", "FingerpostTransfers", "FingerpostCallbacks",
        ]
        var types: Set<String> = []
        for module in modules {
            for file in RepositoryFiles.below("Sources/\(module)") {
                let text = try String(contentsOf: file, encoding: .utf8)
                let found = text.matches(of: /public (?:final |indirect )*(?:struct|class|enum|actor) (\w+)/)
                types.formUnion(found.map { String($0.1) })
            }
        }
        let visited = Set(try await Self.values().keys)
        // A stream that is open has its own test, and the loops over it have no text.
        let streams: Set = ["ResponseStream", "Elements", "Iterator", "AsyncIterator"]
        #expect(types.subtracting(Self.others).subtracting(streams).sorted() == visited.sorted())
    }
}
