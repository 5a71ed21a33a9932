import TestSupport

@testable import Fingerpost

extension EnvironmentFixture {
    func environment(_ target: String = "X", variables: [String: String] = [:]) throws -> Environment {
        try Environment(file: folder["\(target)-Env.json"], layers: layers(target, variables: variables))
    }
}
