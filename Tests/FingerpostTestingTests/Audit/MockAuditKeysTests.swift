import FingerpostTesting

/// The environment keys that sampled routes name.
@Suite(.inTurn) struct MockAuditKeysTests {
    private enum API: SampledRoutes, Routable {
        case users, login, tiles

        static var samples: [API] { [.users, .login, .tiles] }

        var method: HTTPMethod { self == .login ? .post : .get }
        var path: RoutePath {
            switch self {
            case .users: "tenants/\(environment: "tenant")/users"
            case .login: "login"
            case .tiles: "tiles?key=\(environment: "maps.key")"
            }
        }
        var parameters: Parameters? {
            self == .login ? ["client_id": .environment("oauth.clientID"), "key": .environment("maps.key")] : nil
        }
        var baseURLKey: String? { self == .users ? "usersURL" : nil }
        var headers: HTTPHeaders {
            var headers = HTTPHeaders()
            headers.add("X-Tenant", environment: "tennant")
            return self == .login ? headers : [:]
        }
    }

    private static let mocks = ["Mocks/users.json": "[]", "Mocks/login.json": "{}", "Mocks/tiles.json": "{}"]

    private func findings(_ environments: [String: String]) throws -> [String] {
        let folder = try TemporaryFolder(Self.mocks.merging(environments) { $1 })
        let audit = try MockAudit(API.self, options: .init(folder: folder["Mocks"], skipping: [.untyped]))
        return audit.findings.map { folder.relative("\($0)") }
    }

    @Test func `Each key is looked for in every environment, without secrets and without sending`() throws {
        let found = try findings([
            "Environments/Base-Env.json":
                #"{"$secrets": ["maps.key"], "maps": {"key": null}, "oauth": {"clientID": "c"}}"#,
            "Environments/Live-Env.json":
                #"{"baseURL": "https://l.invalid", "tenant": "acme", "tennant": "t", "usersURL": "https://u.invalid"}"#,
            "Environments/Staging-Env.json":
                #"{"baseURL": "https://s.invalid", "tenant": "acme", "userURL": "https://u.invalid"}"#,
            "Environments/Staging-Secrets.json": #"{"maps": {"key": "k"}}"#,
        ])
        let secret =
            #"API.tiles names the environment key "maps.key", which is a secret of NAME, and URLs are kept in logs. "#
            + #"Fix: send it in a header or a body, or write \(revealing: "maps.key") into the path"#
        #expect(
            found == [
                "Environments/Live-Env.json: error: " + secret.replacingOccurrences(of: "NAME", with: "Live"),
                "Environments/Staging-Env.json: error: "
                    + #"API.login names the environment key "tennant", which Staging does not have "#
                    + #"(did you mean "tenant"?). Fix: correct the key, or add it to the environment"#,
                "Environments/Staging-Env.json: error: " + secret.replacingOccurrences(of: "NAME", with: "Staging"),
                "Environments/Staging-Env.json: error: "
                    + #"API.users names the environment key "usersURL", which Staging does not have "#
                    + #"(did you mean "userURL"?). Fix: correct the key, or add it to the environment"#,
            ])
    }

    @Test func `A finding about environments that cannot be read has the path of their folder`() throws {
        let folder = try TemporaryFolder(Self.mocks.merging(["Environments/Live-Env.json": "{"]) { $1 })
        let audit = try MockAudit(API.self, options: .init(folder: folder["Mocks"], skipping: [.untyped]))
        let start = folder["Environments"].path + ": error: API."
        #expect(Set(audit.findings.map { $0.description.hasPrefix(start) }) == [true], "\(audit.findings)")
    }
}
