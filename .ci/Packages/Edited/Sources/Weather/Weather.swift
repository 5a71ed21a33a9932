import Fingerpost

@main
struct Weather {
    static func main() async throws {
        let environment = try Environment.load("Testing")
        let client = try APIClient { $0.environment = environment }
        let weather: [String] = try await client.send(Route.get("today").mock(MockName.weekNext))
        print(weather[0], environment.days, environment.city)
    }
}
