import CallSupport
import FingerpostTesting
import FingerpostUITesting
import Foundation

/// Compiles and runs the code of the articles on scenarios, UI tests and observers.
@Suite(.inTurn) struct RunningAppTests {
    @Suite(.mocks) struct ScenarioSamples {
        @Test(.mocks(scenario: "offline")) func showsABanner() async throws {
            let error = await #expect(throws: APIError.self) {
                try await APIClient().send(GitHub.user(login: "octocat"))
            }
            #expect(error?.kind == .offline)
        }

        @Test(.mocks, arguments: MockScenario.all)
        func neverCrashes(_ scenario: MockScenario) async throws {
            try Mocks.use(scenario)
            _ = try? await APIClient().send(GitHub.user(login: "octocat"))
        }
    }

    struct SlowCalls: CallObserver {
        let report: @Sendable (String) -> Void

        func finished(_ call: LoggedCall) {
            guard let duration = call.duration, duration > .seconds(3) else {
                return
            }
            report("\(call.line) took \(duration)")
        }
    }

    @Test(.mocks) func `Slow calls are reported`() async throws {
        try await confirmation { reported in
            Mocks.set("door", .status(204).delayed(by: .seconds(4)))
            try await APIClient { $0.observers = [SlowCalls { _ in reported() }] }.send(Route.get("door").mock("door"))
        }
    }

    /// The part of XCUIApplication that the article uses.
    private final class Application {
        var launchEnvironment: [String: String] = [:]

        func launch() {}
    }

    @Test func `A UI test controls an app, which makes no call here`() throws {
        let app = Application()
        func test() throws {
            let mocks = try MockControl()
            app.launchEnvironment.merge(mocks.variables) { $1 }
            app.launchEnvironment["APP_ENVIRONMENT"] = "Testing"
            app.launch()

            try mocks.use("login", "locked")  // login.locked.json, from now on
            try mocks.set("user", .status(500).delayed(by: .seconds(2)))
            mocks.scenario = "offline"  // of _scenarios.json
            let logins = try mocks.calls(of: "login").map(\.line)  // ["POST login 423"]
            try mocks.check()
            _ = logins
        }
        let error = #expect(throws: MockControlError.self) { try test() }
        #expect((error?.problems.count, app.launchEnvironment.count) == (3, 2))
    }

    @Test func `A client for previews answers from mocks, in a scenario of the list or with variants`() async throws {
        let user = GitHub.user(login: "octocat")
        #expect(try await APIClient.mocked().data(for: user).isEmpty == false)
        // What is chosen for one mock replaces what the scenario says of it.
        let variants: [MockName: String] = ["user": "gone"]
        let errors = try await [
            failure { try await APIClient.mocked(scenario: "offline").send(user) },
            failure { try await APIClient.mocked(scenario: "offline", variants: variants).send(user) },
            failure { try await APIClient.mocked(scenario: "ofline").send(user) },
        ]
        #expect(errors[0].kind == .offline)
        #expect(errors[1].message.contains("has no variant \"gone\""))
        #expect(errors[2].message == "there is no scenario \"ofline\" (did you mean \"offline\"?)")
        // A demo lists its scenarios.
        #expect(MockScenario.all == ["offline", "slow"])
    }
}
