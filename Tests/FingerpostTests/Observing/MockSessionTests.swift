import FingerpostTesting
import TestSupport

@testable import Fingerpost
@testable import FingerpostMocks

/// The log of a scope.
@Suite(.inTurn) struct MockSessionTests {
    private static let time = ScopeTime(VirtualClock())

    private static func begin(_ mock: String, _ path: RoutePath = "x", in log: MockSession) -> CallRecord {
        let record = CallRecord(
            Route.get(path).mock(MockName(rawValue: mock)), nil, observers: [], time: time, note: CallProblem())
        log.began(record)
        return record
    }

    private static func end(_ record: CallRecord) {
        record.end(APIError(.timedOut, "it is late"))
        record.close()
    }

    private static func calls(_ mocks: String..., in log: MockSession) -> [CallRecord] {
        mocks.enumerated().map { begin($1, "\($0)", in: log) }
    }

    @Test func `The log shows calls in progress as they are, and what was read before stays`() {
        let log = MockSession(MockOverrides())
        let records = Self.calls("a", "b", "c", in: log)
        let before = log.calls
        Self.end(records[1])
        let after = log.calls
        Self.end(records[0])
        #expect(before.map { $0.error == nil } == [true, true, true])
        #expect(after.map { $0.error == nil } == [true, false, true])
        #expect(log.calls.map { $0.error == nil } == [false, false, true])
        #expect(log.calls.map(\.name) == ["a", "b", "c"])
    }

    @Test func `Calls that have ended are returned in the order of their starts, whatever was asked before`() {
        let log = MockSession(MockOverrides())
        let records = Self.calls("a", "a", "b", "a", in: log)
        #expect(log.next(of: "a") == nil)
        Self.end(records[3])
        Self.end(records[1])
        Self.end(records[2])
        #expect(log.next(of: "b")?.name == "b")
        Self.end(records[0])
        let lines = (0..<3).map { _ in log.next(of: "a")?.line }
        #expect(lines == ["GET 0 timed out", "GET 1 timed out", "GET 3 timed out"])
        #expect(log.next(of: "a") == nil && log.next(of: "b") == nil)
    }

    private enum Hub: Routable {
        case list

        var path: RoutePath { "hub" }
    }

    @Test func `A call is returned once for each of the names of its mock`() {
        let log = MockSession(MockOverrides())
        let record = CallRecord(Hub.list.route, nil, observers: [], time: Self.time, note: CallProblem())
        log.began(record)
        Self.end(record)
        for name in ["list", "Hub/list", "Hub.list"] as [MockName] {
            #expect(log.next(of: name) != nil)
            #expect(log.next(of: name) == nil)
        }
    }

    @Test func `Tasks that ask at the same time get each call once`() async {
        let log = MockSession(MockOverrides())
        let mocks: [MockName] = ["mock0", "mock1"]
        var found = await withTaskGroup(of: Int.self) { tasks in
            for _ in 0..<4 {
                tasks.addTask {
                    var found = 0
                    for number in 0..<250 {
                        Self.end(Self.begin("mock\(number % 2)", in: log))
                        if log.next(of: mocks[number / 2 % 2]) != nil { found += 1 }
                        if log.calls.count <= number { Issue.record("a call is missing") }
                    }
                    return found
                }
            }
            return await tasks.reduce(0, +)
        }
        for mock in mocks { while log.next(of: mock) != nil { found += 1 } }
        #expect(found == 1_000)
        #expect(log.calls.count == 1_000 && log.calls.allSatisfy { $0.error != nil })
    }

    @Test func `What a long log keeps can still be returned`() {
        let log = MockSession(MockOverrides())
        let open = Self.begin("open", in: log)
        for number in 0..<10_000 { Self.end(Self.begin("mock\(number)", in: log)) }
        #expect(log.next(of: "mock1") == nil)
        #expect(log.next(of: "mock9999") != nil)
        #expect(log.next(of: "open") == nil)
        Self.end(open)
        #expect(log.next(of: "open") != nil)
        #expect(log.calls.first?.name == "open" && log.calls.last?.name == "mock9999")
    }
}
