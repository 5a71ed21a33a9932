import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostMocks

/// Tests so large that they would exceed the time limit if a step took quadratic time.
extension ScopeTests {
    @Test(.heavy) func `A test with very many answers and calls ends in linear time`() {
        let scope = APIScope()
        scope.run {
            for number in 0..<30_000 { Mocks.set(MockName(rawValue: "answer\(number)"), .sequence([.status(204)])) }
        }
        for number in 0..<5_000 {
            let route = Route.get("x").mock(MockName(rawValue: "call\(number)"))
            let record = CallRecord(route, nil, in: scope)
            record.end(APIError(.timedOut, "it is late"))
            record.close()
        }
        #expect(scope.close().count == 30_000)
    }

    @Test(.heavy) func `A hundred misspelled names among very many are explained in time`() {
        let scope = APIScope()
        scope.run { for number in 0..<30_000 { Mocks.set(MockName(rawValue: "usr\(number)"), .status(204)) } }
        for number in 0..<5_000 {
            let record = CallRecord(Route.get("x").mock(MockName(rawValue: "user\(number)")), nil, in: scope)
            record.end(APIError(.timedOut, "it is late"))
            record.close()
        }
        let problems = scope.close()
        #expect(problems.count == 100)
        #expect(problems.allSatisfy { $0.contains("did you mean") })
    }

    @Test(.heavy) func `The answers of very many mocks are replaced in linear time`() {
        let scope = APIScope()
        scope.run {
            for _ in 0..<2 {
                for number in 0..<30_000 { Mocks.set(MockName(rawValue: "user\(number)"), .sequence([.status(204)])) }
            }
        }
        #expect(scope.close().count == 30_000)
    }

    @Test(.heavy) func `Scenarios are chosen beside very many answers in linear time`() {
        let scope = APIScope()
        scope.run {
            for number in 0..<30_000 { Mocks.set(MockName(rawValue: "user\(number)"), .status(204)) }
            for _ in 0..<30_000 { try? Mocks.use(nil) }
        }
        #expect(scope.close().isEmpty)
    }
}
