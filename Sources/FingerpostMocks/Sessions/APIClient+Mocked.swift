public import Fingerpost
public import Foundation

extension APIClient {
    /// A client for previews and demos that answers from mocks and sends nothing:
    ///
    /// ```swift
    /// #Preview("Locked out") { LoginView(client: .mocked(scenario: "locked out")) }
    /// #Preview("Not found") { ProfileView(client: .mocked(variants: ["user": "404"])) }
    /// ```
    ///
    /// The client has its own sealed ``/Fingerpost/APIScope``. The scope uses the environment `Testing`. If there is no
    /// `Testing`, the scope's environment contains only the base URL `https://testing.invalid`.
    ///
    /// In tests, use the trait `.mocks` instead: the trait's scope also reports problems. If the running task has a
    /// scope, that scope takes precedence over the scope of this client.
    ///
    /// - Parameters:
    ///   - scenario: the scenario from `_scenarios.json`; nil for none. Calls fail if there is no such scenario.
    ///   - variants: the variants that answer, keyed by the mock's name. These variants replace the scenario's
    ///     responses for these mocks.
    ///   - mocks: the mocks folder; nil for the folder that the client finds.
    public static func mocked(
        scenario: MockScenario? = nil, variants: [MockName: String] = [:], mocks: URL? = nil
    ) -> APIClient {
        var environment: Environment?
        var failure: EnvironmentError?
        do throws(EnvironmentError) { environment = try environmentOfMocks() } catch { failure = error }
        let scope = APIScope(
            environment: environment, network: .sealed, mocks: mocks, variants: variants, scenario: scenario)
        return shared.with(scope: scope.with { $0.failure = failure })
    }
    /// Returns the environment `Testing`, or an environment with a reserved base URL if `Testing` does not exist.
    ///
    /// - Parameter folder: the environments folder. Nil for the folder of the process.
    /// - Throws: an error with all problems of the environment `Testing` if this environment cannot be read.
    static func environmentOfMocks(in folder: URL? = nil) throws(EnvironmentError) -> Environment {
        do throws(EnvironmentError) { return try Environment.load("Testing", from: folder) } catch {
            guard error.kind == .notFound else { throw error }
            return try Environment("Testing", values: ["baseURL": "https://testing.invalid"])
        }
    }
}
