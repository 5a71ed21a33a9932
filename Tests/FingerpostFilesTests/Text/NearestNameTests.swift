import FingerpostFiles
import Testing

@Suite struct NearestNameTests {
    private static let names = ["login", "logout", "users/show", "repos", "baseURL", "description"]

    private static let slips: [(String, String?)] = [
        ("logn", "login"), ("Login", "login"), ("user/show", "users/show"), ("lgoin", "login"), ("baseUrl", "baseURL"),
        ("descripton", "description"), ("zzz", nil), ("", nil), ("r", nil),
    ]

    @Test(arguments: slips) func `A slip finds the name that was meant`(slip: String, name: String?) {
        #expect(NearestName.find(slip, in: Self.names) == name)
    }

    @Test(
        arguments: [
            ("abcdefghi", "acbdefghi", true), ("abcdefghi", "bacdfeghi", true), ("abcdefghi", "badcfeghi", true),
            ("abcdefghi", "badcfehgi", false), ("abcdefghi", "abcdef", true), ("abcdefghi", "abcde", false),
            ("éèê", "éèe", true), ("ÉÈÊ", "éèê", true), ("gr\u{F6}\u{DF}e", "gro\u{308}\u{DF}e", true),
            ("日本語", "日本人", true), ("日本語", "中国人", false),
        ])
    func `A third of the letters may differ`(_ slip: String, _ name: String, _ isNear: Bool) {
        #expect((NearestName.find(slip, in: [name]) == name) == isNear)
    }

    @Test func `What is very long is no slip`() {
        let name = String(repeating: "x", count: 201)
        #expect(NearestName.find(name, in: [name + "y"]) == nil)
        #expect(NearestName.find(String(name.dropLast()), in: [name]) == name)
    }

    @Test func `Equally close names come in alphabetical order`() {
        #expect(NearestName.all("log", in: ["logb", "loga", "xyz"]) == ["loga", "logb"])
    }
}
