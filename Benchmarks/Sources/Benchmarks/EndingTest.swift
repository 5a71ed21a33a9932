#if os(Linux)
    import Fingerpost
    import FingerpostTesting
    import XCTest
#endif

/// Runs work as a test, whose scope ends after it.
enum EndingTest {
    static func run(_ work: () -> Void) {
        #if os(Linux)
            APIScope.test(XCTestCase(name: "test", testClosure: { _ in })) { work() }
        #else
            work()
        #endif
    }
}
