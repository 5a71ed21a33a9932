@testable import FingerpostTesting

/// What a secret is called in the response of a server.
@Suite(.inTurn) struct IssuedNameTests {
    @Test(arguments: ResponseNames.ordinary.filter { $0 != "tokens" } + ResponseNames.ambiguous)
    func `Ordinary and ambiguous names do not count in responses`(_ name: String) {
        #expect(!SensitiveName.isIssued(name))
    }

    @Test func `A long name that a server made up is judged in time`() {
        #expect(!SensitiveName.isIssued("token" + String(repeating: "typesscopes", count: 10_000)))
        #expect(SensitiveName.isIssued("token" + String(repeating: "types", count: 10_000) + "x"))
    }
}
