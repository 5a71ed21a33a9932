public import Fingerpost
import FingerpostMocks
public import FingerpostTesting
import Foundation
import Testing

// The code of the article GettingStarted, as a package of its own contains it.

public enum WeatherAPI {
    case forecast(city: String, days: Int)
}

nonisolated extension WeatherAPI: Routable {
    public var path: RoutePath {
        switch self {
        case .forecast(let city, _): "forecast/\(city)"
        }
    }
    public var parameters: Parameters? {
        switch self {
        case .forecast(_, let days): ["days": days]
        }
    }
    public var responseType: (any (Decodable & Sendable).Type)? {
        switch self {
        case .forecast: Forecast.self
        }
    }
}

public nonisolated struct Forecast: Decodable, Sendable {
    public var city: String
    public var degrees: [Double]
}

public func degreesTomorrow(
    in city: String
) async throws(APIError) -> Double? {
    let client = try APIClient()
    let forecast = try await client.send(
        WeatherAPI.forecast(city: city, days: 2), as: Forecast.self)
    return forecast.degrees.last
}

@Test(.mocks) func warmer() async throws {
    #expect(try await degreesTomorrow(in: "Bern") == 14)
    #expect(Mocks.calls.map(\.line) == ["GET forecast/Bern?days=2 200"])
}

@Test(.mocks) func theServerIsDown() async throws {
    Mocks.set("forecast", .status(503))
    let error = await #expect(throws: APIError.self) {
        try await degreesTomorrow(in: "Bern")
    }
    #expect(error?.kind == .status(503))
}

nonisolated extension WeatherAPI: SampledRoutes {
    public static var samples: [WeatherAPI] {
        [.forecast(city: "Bern", days: 2)]
    }
}

@Test func mocksOfWeatherMatch() throws {
    try MockAudit.run(WeatherAPI.self)
}

@Test(.recording) func recordForecast() async throws {
    _ = try await degreesTomorrow(in: "Bern")
}
