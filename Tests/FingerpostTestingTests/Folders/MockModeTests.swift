@testable import FingerpostTesting

@Suite(.inTurn) struct MockModeTests {
    @Test(
        arguments: [
            (nil, .serve), ("", .serve), ("record:Staging", .record(environment: "Staging")),
            ("drift:Staging", .drift(environment: "Staging")), ("drift:a:b", .drift(environment: "a:b")),
        ] as [(String?, MockMode)])
    func `The variable sets the mode`(_ text: String?, _ mode: MockMode) throws {
        #expect(try MockMode(variables: text.map { ["MOCKS": $0] } ?? [:]) == mode)
    }

    private static let modes = "Fix: set it to record:<environment> or drift:<environment>, or unset it"

    @Test(
        arguments: [
            ("recrod:Staging", "is not a valid mode (did you mean \"record\"?). \(modes)"),
            ("Record:Staging", "is not a valid mode (did you mean \"record\"?). \(modes)"),
            ("drift", "does not name an environment. Fix: set it to drift:<environment>, as in drift:Staging"),
            ("record:", "does not name an environment. Fix: set it to record:<environment>, as in record:Staging"),
        ])
    func `An invalid value is an error with the valid values`(_ text: String, _ expected: String) {
        let problem = #expect(throws: FileProblem.self) { try MockMode(variables: ["MOCKS": text]) }
        #expect(problem?.description == "environment variable MOCKS: error: \"\(text)\" \(expected)")
    }
}
