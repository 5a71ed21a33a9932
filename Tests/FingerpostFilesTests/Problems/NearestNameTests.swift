@Suite(.inTurn) struct NearestNameTests {
    @Test func `The intended name is found if up to a third of its letters differ and it is not very long`() {
        let names = ["login", "logout", "users/show", "repos", "baseURL", "description"]
        let typos: [(String, [String], String?)] = [
            ("logn", names, "login"), ("Login", names, "login"), ("user/show", names, "users/show"),
            ("lgoin", names, "login"), ("baseUrl", names, "baseURL"), ("descripton", names, "description"),
            ("zzz", names, nil), ("", names, nil), ("r", names, nil),
            ("abcdefghi", ["acbdefghi"], "acbdefghi"), ("abcdefghi", ["bacdfeghi"], "bacdfeghi"),
            ("abcdefghi", ["badcfeghi"], "badcfeghi"), ("abcdefghi", ["badcfehgi"], nil),
            ("abcdefghi", ["abcdef"], "abcdef"), ("abcdefghi", ["abcde"], nil), ("éèê", ["éèe"], "éèe"),
            ("ÉÈÊ", ["éèê"], "éèê"), ("gr\u{F6}\u{DF}e", ["gro\u{308}\u{DF}e"], "gro\u{308}\u{DF}e"),
            ("日本語", ["日本人"], "日本人"), ("日本語", ["中国人"], nil),
        ]
        for (typo, names, name) in typos { #expect(NearestName.find(typo, in: names) == name, "\(typo) \(names)") }
        // A very long name has none.
        let name = String(repeating: "x", count: 201)
        let found = (NearestName.find(name, in: [name + "y"]), NearestName.find(String(name.dropLast()), in: [name]))
        #expect(found == (nil, name))
        // Equally close names are in alphabetical order.
        #expect(NearestName.all("log", in: ["logb", "loga", "xyz"]) == ["loga", "logb"])
    }
}
