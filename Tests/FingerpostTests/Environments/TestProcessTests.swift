import FingerpostFiles
import Testing

@testable import Fingerpost

@Suite struct TestProcessTests {
    @Test func `This process runs tests with scopes`() {
        #expect(TestProcess.isCurrent)
        #expect(TestProcess.hasScopes)
    }

    // An app that hosts tests may send a call before its test bundle is loaded.
    @Test func `Only a positive answer is remembered`() {
        let answers = Locked([false, false, true, false])
        let latch = TestProcess.Latch { answers.withLock { $0.removeFirst() } }
        #expect((0..<6).map { _ in latch.holds } == [false, false, true, true, true, true])
        #expect(answers.withLock { $0 } == [false])
    }

    @Test func `The error of a call without a scope names two copies of the library as a cause`() {
        #expect(APIError.unscoped.fix?.contains("two copies of the library") == true)
    }
}
