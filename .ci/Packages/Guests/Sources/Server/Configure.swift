import Fingerpost
import Vapor

func configure(_ app: Application, api: APIClient) {
    app.get("weather", ":city") { request async throws -> String in
        let city = try request.parameters.require("city")
        let forecast = try await api.send(
            Weather.forecast(city: city), as: Forecast.self)
        return "\(forecast.degrees)"
    }
}

enum Weather: Routable {
    case forecast(city: String)
    var path: RoutePath {
        switch self {
        case .forecast(let city): "forecast/\(city)"
        }
    }
}

struct Forecast: Decodable {
    var degrees: Double
}
