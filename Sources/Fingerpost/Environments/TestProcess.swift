import Foundation

/// Tells whether this process runs tests.
enum TestProcess {
    /// True when Swift Testing or XCTest is loaded, or a test runner set its variables. Asked once.
    static let isCurrent: Bool = {
        // The entry point of Swift Testing, in everything that is loaded.
        if dlsym(dlopen(nil, RTLD_LAZY), "swt_abiv0_getEntryPoint") != nil { return true }
        if NSClassFromString("XCTestCase") != nil || NSClassFromString("XCTest.XCTestCase") != nil { return true }
        let variables = ProcessInfo.processInfo.environment
        return ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"]
            .contains { variables[$0] != nil }
    }()

    /// True when the process has `FingerpostTesting`, whose traits give every test a scope. Asked once.
    static let hasScopes = isCurrent && NSClassFromString("FingerpostTesting.TestScope") != nil
}
