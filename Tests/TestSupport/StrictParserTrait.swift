@testable import FingerpostFiles

/// Runs each test twice: with the strict readers and checks, and without them, as in an app on `FingerpostCore`.
package struct StrictParserTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Each test runs twice, so the suite as a whole runs once.
        guard testCase != nil else { return try await function() }
        try await function()
        try await LinkedParser.$isHidden.withValue(true) { try await function() }
    }
}

extension Trait where Self == StrictParserTrait {
    package static var withAndWithoutStrictParser: StrictParserTrait { StrictParserTrait() }
}
