#if canImport(XCTest)
    public import Fingerpost
    public import Foundation
    public import XCTest

    extension APIScope {
        /// Runs an XCTest test in its own scope. In Swift Testing, use the `.mocks` trait instead.
        ///
        /// ```swift
        /// nonisolated final class LoginTests: XCTestCase {
        ///     override func invokeTest() {
        ///         APIScope.test(self) { super.invokeTest() }
        ///     }
        /// }
        /// ```
        ///
        /// Asynchronous test methods inherit the scope. The test fails for the same problems that ``ScopeTrait``
        /// records as issues.
        ///
        /// - Parameters:
        ///   - testCase: the running test. The test's name seeds the scope's random values.
        ///   - variants: the variants to answer with, keyed by mock name: `["login": "locked"]` for
        ///     `login.locked.json`.
        ///   - folder: the mocks folder. Default: the nearest folder `Mocks/` beside the test's file or in a folder
        ///     above that file, up to the package root. If no such folder exists, the client searches for the mocks
        ///     folder.
        ///   - environment: the environment's name. Default: `Testing`.
        ///   - network: whether mocks or servers answer calls. `.live` sends calls to the environment's servers. By
        ///     default, mocks answer.
        ///   - recording: true for a test that runs only under `MOCKS=record:…` and `MOCKS=drift:…`. The test's calls
        ///     are sent, as with the trait `.recording`. Under `drift:`, calls are sent until the test makes a call
        ///     that is not a GET, HEAD or OPTIONS. From then on, mocks answer, because XCTest cannot skip a running
        ///     test.
        ///   - file: the test's file. The search for the mocks folder starts beside this file, and failures are
        ///     reported in this file.
        ///   - line: the line at which failures are reported.
        ///   - body: runs the test, usually `super.invokeTest()`.
        public static func test(
            _ testCase: XCTestCase, _ variants: [MockName: String] = [:], folder: URL? = nil,
            environment: String? = nil,
            network: Environment.Network? = nil, recording: Bool = false, file: StaticString = #filePath,
            line: UInt = #line, _ body: () -> Void
        ) {
            let settings = ScopeSettings(
                environment: environment, network: network, folder: folder, variants: variants,
                recording: recording ? RecordingSettings(canSkip: false) : nil)
            do {
                if recording, try MockMode.current() == .serve { return }
                try TestScope(settings).run(
                    file: "\(file)", seed: testCase.name,
                    report: { XCTFail($0, file: file, line: line) }, body)
            } catch {
                XCTFail("\(error)", file: file, line: line)
            }
        }
    }
#endif
