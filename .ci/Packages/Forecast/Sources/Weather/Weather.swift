import Fingerpost
import Foundation
import Model

@main
struct Weather {
    static func main() async throws {
        let environment = try APIEnvironment.load("Testing")
        let client = try APIClient { $0.environment = environment }
        let weather = try await client.send(Forecast())
        print(weather[0], environment.map.host.path, MockName.today)
    }
}
