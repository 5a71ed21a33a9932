import FingerpostFiles
import TestSupport

@testable import Fingerpost
@testable import FingerpostMocks

@Suite(.inTurn) struct ProcessVariantsTests {
    @Test(
        arguments: [
            ("", [:], []), ("login:locked", ["login": "locked"], []),
            ("login:locked, users/show:404", ["login": "locked", "users/show": "404"], []),
            ("login", [:], ["login"]), (":a,b:,a:b:c", [:], [":a", "b:", "a:b:c"]), (",", [:], []),
        ] as [(String, [MockName: String], [String])])
    func `The variable chooses variants by mock`(text: String, variants: [MockName: String], malformed: [String]) {
        let chosen = ProcessVariants(text)
        #expect((chosen.variants, chosen.malformed) == (variants, malformed))
    }

    @Test func `Mocks that do not exist are reported with a similar name`() throws {
        let files = try TemporaryFolder(["login.locked.json": "{}", "user.json": "{}"])
        let folder = try MockIndexes.index(at: files.url)
        let warnings = ProcessVariants("login:locked,usr:gone,user.json:gone").warnings(for: folder)
        #expect(warnings == ["MOCKS_VARIANTS: there is no mock \"usr\" in \(folder.path) (did you mean \"user\"?)"])
    }
}
