@testable import FingerpostTesting

@Suite(.inTurn) struct MockModeTests {
    private static let fix = "Fix: set it to record:<environment> or drift:<environment>, or unset it"

    /// Each value with the mode, or with the error after the value.
    @Test(
        arguments: [
            (nil, "serve"), ("", "serve"), ("record:Staging", #"record(environment: "Staging")"#),
            ("drift:Staging", #"drift(environment: "Staging")"#), ("drift:a:b", #"drift(environment: "a:b")"#),
            ("recrod:Staging", "is not a valid mode (did you mean \"record\"?). \(fix)"),
            ("Record:Staging", "is not a valid mode (did you mean \"record\"?). \(fix)"),
            ("drift", "does not name an environment. Fix: set it to drift:<environment>, as in drift:Staging"),
            ("record:", "does not name an environment. Fix: set it to record:<environment>, as in record:Staging"),
        ] as [(String?, String)])
    func `The variable sets the mode, and an invalid value is an error with the valid values`(
        text: String?, expected: String
    ) {
        let start = "environment variable MOCKS: error: \"\(text ?? "")\" "
        let found: String
        do { found = "\(try MockMode(variables: text.map { ["MOCKS": $0] } ?? [:]))" } catch { found = "\(error)" }
        #expect(found == (expected.contains("Fix: ") ? start + expected : expected))
    }
}
