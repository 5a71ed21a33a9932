import Testing

@testable import Fingerpost

@Suite struct CallDeadlineTests {
    @Test(arguments: [(false, false, 1), (false, true, 1), (true, true, 1), (true, false, 5)])
    func `Only a mocked call in a scope has more of the system's time`(isInScope: Bool, isLive: Bool, factor: Int) {
        let decision = Answering.Decision(
            scope: isInScope ? APIScope() : nil, entry: nil, timeout: .seconds(2),
            transport: .success(URLSessionTransport()), isLive: isLive)
        let call = Call(.get("x"), decision, clientCredentials: [], by: Deadlines())
        #expect(call.start.duration(to: call.deadline) == .seconds(2) * factor)
    }
}
