import Fingerpost
import FingerpostMocks
import Foundation

extension Benchmark {
    /// A mocked and decoded call, compared with only decoding the same bytes.
    static func mockedCall() throws -> Benchmark {
        let (decode, call) = try Users.work()
        return Benchmark("mocked-call", target: 2.7, byHand: decode, ours: call)
    }

    /// The same call in a scope, where the calls of tests run.
    static func scopedCall() throws -> Benchmark {
        let (decode, call) = try Users.work()
        return Benchmark("mocked-in-scope", target: 3, byHand: decode) { count in
            try await APIScope().run { try await call(count) }
        }
    }
}

private enum Users: Routable {
    case show(login: String)

    var path: RoutePath {
        switch self {
        case .show(let login): "users/\(login)"
        }
    }
    var mock: MockName? { "user" }

    /// Decoding by hand, and a call that decodes.
    static func work() throws -> (decode: Benchmark.Work, call: Benchmark.Work) {
        let mocks = FileManager.default.temporaryDirectory
            .appendingPathComponent("Fingerpost-\(ProcessInfo.processInfo.processIdentifier)/Mocks")
        try FileManager.default.createDirectory(at: mocks, withIntermediateDirectories: true)
        let body = Data(User.json.utf8)
        try body.write(to: mocks.appendingPathComponent("user.json"))

        var configuration = APIClient.Configuration()
        configuration.environment = try Environment(
            "Testing", values: ["baseURL": "https://api.example.com/v1", "$network": "sealed"])
        configuration.mocks = mocks
        let client = try APIClient(configuration)
        let decoder = configuration.decoder

        return (
            { count in for _ in 0..<count { blackHole(try decoder.decode(User.self, from: body)) } },
            { count in
                for _ in 0..<count { blackHole(try await client.send(Users.show(login: "octocat"), as: User.self)) }
            }
        )
    }
}

private struct User: Decodable, Sendable {
    var id: Int
    var login: String
    var name: String
    var company: String?
    var location: String
    var bio: String
    var followers: Int
    var following: Int
    var isHireable: Bool

    static let json = """
        {
          "id": 583231,
          "login": "octocat",
          "name": "The Octocat",
          "company": "@github",
          "location": "San Francisco",
          "bio": "Lives in the cloud, likes \\"fish\\"",
          "followers": 17421,
          "following": 9,
          "isHireable": false
        }
        """
}
