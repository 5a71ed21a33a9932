// The part of Apple's XCUIAutomation that the Xcode example uses, for type-checking it on Linux beside XCTest.
public import Foundation

@MainActor open class XCUIElement {
    nonisolated init() {}
    open func tap() {}
    open func waitForExistence(timeout: TimeInterval) -> Bool { false }
}

@MainActor open class XCUIElementQuery {
    open subscript(key: String) -> XCUIElement { XCUIElement() }
}

@MainActor open class XCUIApplication: XCUIElement {
    open var launchEnvironment: [String: String] { get { [:] } set {} }
    open var staticTexts: XCUIElementQuery { XCUIElementQuery() }
    open var buttons: XCUIElementQuery { XCUIElementQuery() }

    public nonisolated override init() { super.init() }
    open func launch() {}
}
