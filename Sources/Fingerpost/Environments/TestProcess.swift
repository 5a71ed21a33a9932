import FingerpostFiles
import Foundation

/// Detects whether this process runs tests.
package enum TestProcess {
    /// True if Swift Testing or XCTest is loaded, or if a test runner has set its own environment variables. The result
    /// is computed once.
    package static let isCurrent: Bool = {
        // Look for Swift Testing's entry point in all loaded images.
        if dlsym(dlopen(nil, RTLD_LAZY), "swt_abiv0_getEntryPoint") != nil { return true }
        if NSClassFromString("XCTestCase") != nil || NSClassFromString("XCTest.XCTestCase") != nil { return true }
        let variables = ProcessInfo.processInfo.environment
        return ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"]
            .contains { variables[$0] != nil }
    }()

    /// True if the process shows Xcode previews.
    package static let isPreview = PreviewProcess.isCurrent(ProcessInfo.processInfo.environment)

    /// True if the process contains `FingerpostTesting`, whose traits give every test a scope.
    static var hasScopes: Bool { isCurrent && reporter != nil }

    /// The class of `FingerpostTesting` that records issues; nil if the process does not contain that library.
    static var reporter: (any TestReporter.Type)? { linked.value }

    private static let linked = LinkedClass<any TestReporter.Type>("FingerpostTesting.TestScope")
}

/// Records issues in a test run. `FingerpostTesting` implements this protocol, because this library does not import
/// Testing.
package protocol TestReporter: Sendable {
    /// Records an issue for the running test or, outside tests, for the whole run.
    static func report(_ message: String)
}
