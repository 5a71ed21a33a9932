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

    @Test func `Equally close names come in alphabetical order`() {
        #expect(NearestName.all("log", in: ["logb", "loga", "xyz"]) == ["loga", "logb"])
    }
}
