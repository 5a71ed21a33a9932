@testable import FingerpostTesting

/// What a secret is called in the response of a server.
@Suite(.inTurn) struct IssuedNameTests {
    @Test func `Ordinary and ambiguous names do not count in responses, and a long name is judged in time`() {
        let names = ResponseNames.ordinary.filter { $0 != "tokens" } + ResponseNames.ambiguous
        let long = ["typesscopes", "types"].map { "token" + String(repeating: $0, count: 10_000) }
        #expect((names + [long[0], long[1] + "x"]).filter(SensitiveName.isIssued) == [long[1] + "x"])
    }
}
