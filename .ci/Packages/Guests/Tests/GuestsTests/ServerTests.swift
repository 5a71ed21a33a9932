import Fingerpost
import FingerpostTesting
import Foundation
import Testing
import Vapor
import VaporTesting

@testable import Server

@Test(.mocks) func weatherOfBern() async throws {
    let api = try APIClient()
    func configured(_ app: Application) { configure(app, api: api) }
    try await withApp(configure: configured) { app in
        try await app.testing().test(.GET, "weather/Bern") { response in
            #expect(response.body.string == "14.0")
        }
    }
}

@Test(.mocks) func callsAreLogged() async throws {
    try await makeClient().send(Route.get("x").mock("forecast"))
    #expect(Mocks.calls.map(\.status) == [200])
}

// The environment is not sealed, and the stand-in of the other library sends nothing.
@Test(.mocks, .network(.live)) func anotherLibrarySends() async throws {
    let environment = try APIEnvironment("Local", values: ["baseURL": "http://127.0.0.1:1"])
    let client = try makeFastClient().with { $0.retry = .standard }
    try await APIScope(environment: environment, network: .live).run {
        let sent = try await client.send(Route.post("x").json(["a": 1]), as: String.self)
        #expect(sent == "POST http://127.0.0.1:1/x 7")
        let error = await #expect(throws: APIError.self) { try await client.send(Route.get("lost")) }
        #expect(error?.kind == .transport && error?.attempts == 3)
    }
}
