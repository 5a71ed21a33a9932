@Suite(.inTurn) struct NearestNameTests {
    private static let names = ["login", "logout", "users/show", "repos", "baseURL", "description"]

    @Test func `The intended name is found for a typo, and not for a very long name`() {
        let typos: [(String, String?)] = [
            ("logn", "login"), ("Login", "login"), ("user/show", "users/show"), ("lgoin", "login"),
            ("baseUrl", "baseURL"), ("descripton", "description"), ("zzz", nil), ("", nil), ("r", nil),
        ]
        for (typo, name) in typos { #expect(NearestName.find(typo, in: Self.names) == name, "\(typo)") }
        let name = String(repeating: "x", count: 201)
        let found = (NearestName.find(name, in: [name + "y"]), NearestName.find(String(name.dropLast()), in: [name]))
        #expect(found == (nil, name))
    }

    @Test(
        arguments: [
            ("abcdefghi", "acbdefghi", true), ("abcdefghi", "bacdfeghi", true), ("abcdefghi", "badcfeghi", true),
            ("abcdefghi", "badcfehgi", false), ("abcdefghi", "abcdef", true), ("abcdefghi", "abcde", false),
            ("éèê", "éèe", true), ("ÉÈÊ", "éèê", true), ("gr\u{F6}\u{DF}e", "gro\u{308}\u{DF}e", true),
            ("日本語", "日本人", true), ("日本語", "中国人", false),
        ])
    func `Up to a third of the letters can differ`(_ typo: String, _ name: String, _ isNear: Bool) {
        #expect((NearestName.find(typo, in: [name]) == name) == isNear)
    }

    @Test func `Equally close names are in alphabetical order`() {
        #expect(NearestName.all("log", in: ["logb", "loga", "xyz"]) == ["loga", "logb"])
    }
}
