import CallSupport

/// Credentials are not shown.
@Suite(.inTurn) struct AuthorizationSecrecyTests {
    private static let secrets: [Authorization] = [
        .bearer("open-sesame"), .basic(user: "ali", password: "open-sesame"),
        .custom(header: "X-Shop", value: "open-sesame"), .dynamic { .custom(header: "X-Shop", value: "open-sesame") },
    ]

    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), String(describing: Mirror(reflecting: value)), dumped]
    }

    @Test("Descriptions of authorization, configuration and client show no secret", arguments: secrets.indices)
    func hidden(_ index: Int) {
        let client = StubTransport(200).client { $0.authorization = Self.secrets[index] }
        let encoded = Data("ali:open-sesame".utf8).base64EncodedString()
        for text in texts(of: Self.secrets[index]) + texts(of: client.configuration) + texts(of: client) {
            #expect(!text.contains("open-sesame") && !text.contains(encoded), "\(text)")
        }
    }

    @Test("An error shows no secret that the server repeats", arguments: secrets.indices, [200, 400])
    func errors(_ index: Int, _ status: Int) async throws {
        let body = #"{"message": "open-sesame?", "id": "open-sesame"}"#
        let client = StubTransport { request, _ in
            let value =
                request.value(forHTTPHeaderField: "Authorization") ?? request.value(forHTTPHeaderField: "X-Shop")
            let token = value.map { $0.split(separator: " ").last.map(String.init) ?? "" } ?? ""
            return (status, [:], body.replacingOccurrences(of: "open-sesame", with: token))
        }
        .client { $0.authorization = Self.secrets[index] }
        let error = try await failure { try await client.send(Route.get("x"), as: [String: Int].self) }
        let encoded = Data("ali:open-sesame".utf8).base64EncodedString()
        for text in [
            "\(error)", String(reflecting: error), error.localizedDescription, error.message, error.fragment ?? "",
        ] {
            #expect(!text.contains("open-sesame") && !text.contains(encoded), "\(text)")
        }
    }
}
