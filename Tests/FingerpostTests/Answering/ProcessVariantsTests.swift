import Testing

@testable import Fingerpost

@Suite struct ProcessVariantsTests {
    @Test(
        arguments: [
            ("", [:], []), ("login:locked", ["login": "locked"], []),
            ("login:locked, users/show:404", ["login": "locked", "users/show": "404"], []),
            ("login", [:], ["login"]), (":a,b:,a:b:c", [:], [":a", "b:", "a:b:c"]), (",", [:], []),
        ] as [(String, [MockName: String], [String])])
    func `The variable chooses variants by mock`(text: String, variants: [MockName: String], malformed: [String]) {
        let chosen = ProcessVariants(text)
        #expect(chosen.variants == variants)
        #expect(chosen.malformed == malformed)
    }
}
