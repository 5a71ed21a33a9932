import TestSupport

@testable import Fingerpost

extension EnvironmentFixture {
    func environment(_ target: String = "X", variables: [String: String] = [:]) throws -> APIEnvironment {
        try APIEnvironment(file: folder["\(target)-Env.json"], layers: layers(target, variables: variables))
    }
}
