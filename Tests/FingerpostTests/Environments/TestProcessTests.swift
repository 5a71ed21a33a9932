import FingerpostFiles
import Testing

@testable import Fingerpost
@testable import FingerpostMocks
@testable import FingerpostTesting

@Suite struct TestProcessTests {
    @Test func `This process runs tests with scopes`() {
        #expect(TestProcess.isCurrent)
        #expect(TestProcess.hasScopes)
    }

    // An app that hosts tests may send a call before its test bundle is loaded.
    @Test func `Only a positive answer is remembered`() {
        let answers = Locked([nil, nil, 1, nil])
        let linked = LinkedClass<Int> { answers.withLock { $0.removeFirst() } }
        #expect((0..<6).map { _ in linked.value } == [nil, nil, 1, 1, 1, 1])
        #expect(answers.withLock { $0 } == [nil])
    }

    @Test func `The classes of other modules are found by their names`() throws {
        #expect(LinkedClass<any MockEngine.Type>.mockEngine.value == MockFolderEngine.self)
        #expect(TestProcess.reporter == TestScope.self)
        #expect(LinkedClass<any MockEngine.Type>("FingerpostMocks.NoEngine").value == nil)
    }

    @Test func `The error of a call without a scope names two copies of the library as a cause`() {
        #expect(APIError.unscoped.fix?.contains("two copies of the library") == true)
    }
}
