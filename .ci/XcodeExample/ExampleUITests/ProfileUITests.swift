import FingerpostUITesting
import XCTest

/// Runs in another process than the app. In a simulator, both see the folder of `MockControl`; on the Mac, the app's
/// sandbox keeps it from the folder.
final class ProfileUITests: XCTestCase {
    /// Launches the app, which answers from mocks and looks at what the test says of them.
    @MainActor private func launch(_ mocks: MockControl) -> XCUIApplication {
        let app = XCUIApplication()
        app.launchEnvironment.merge(mocks.variables) { $1 }
        app.launchEnvironment["APP_ENVIRONMENT"] = "Testing"
        app.launch()
        return app
    }

    @MainActor func testReloadsAfterAnError() throws {
        let mocks = try MockControl()
        try mocks.use("user", "404")
        let app = launch(mocks)
        XCTAssertTrue(app.staticTexts["Nobody has this name"].waitForExistence(timeout: 10))

        try mocks.use("user", nil)
        app.buttons["Reload"].tap()
        XCTAssertTrue(app.staticTexts["The Octocat"].waitForExistence(timeout: 10))
        XCTAssertEqual(try mocks.calls(of: "user").map(\.status), [404, 200])
        try mocks.check()
    }
}
