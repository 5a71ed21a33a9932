#if canImport(XCTest)
    public import Fingerpost
    public import Foundation
    public import XCTest

    extension APIScope {
        /// Gives a test of XCTest a scope of its own, as the trait `.mocks` does for those of Swift Testing:
        ///
        /// ```swift
        /// final class LoginTests: XCTestCase {
        ///     override func invokeTest() {
        ///         APIScope.test(self) { super.invokeTest() }
        ///     }
        /// }
        /// ```
        ///
        /// Asynchronous tests inherit the scope. What the trait would record as an issue is a failure of the test here.
        ///
        /// - Parameters:
        ///   - variants: which variant answers, by the mock's name.
        ///   - folder: the mocks; by default the nearest folder `Mocks` beside the test's file or above it in its package.
        ///   - environment: the environment's name; by default `Testing`.
        ///   - network: `.live` to reach the servers of the environment; by default mocks answer.
        public static func test(
            _ testCase: XCTestCase, _ variants: [MockName: String] = [:], folder: URL? = nil,
            environment: String? = nil,
            network: Environment.Network? = nil, file: StaticString = #filePath, line: UInt = #line, _ body: () -> Void
        ) {
            var settings = ScopeSettings()
            settings.variants = variants
            settings.folder = folder
            settings.environment = environment
            settings.network = network
            do {
                try TestScope(settings).run(
                    file: "\(file)", seed: testCase.name,
                    report: { XCTFail($0, file: file, line: line) }, body)
            } catch {
                XCTFail("\(error)", file: file, line: line)
            }
        }
    }
#endif
