@testable import FingerpostFiles
@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockFileNameTests {
    /// Paths, mocks, and the variant, the status, the extension and `settings`; nil when the file does not belong to
    /// the mock.
    private static let readings: [(path: String, mock: String, parts: String?)] = [
        ("login.json", "login", "- - json"),
        ("login", "login", "- - -"),
        ("login.mock.json", "login", "- - - settings"),
        ("login.locked.json", "login", "locked - json"),
        ("login.locked.json", "login.locked", "- - json"),
        ("login.locked.423.json", "login", "locked 423 json"),
        ("login.locked.423.json", "login.locked", "423 - json"),
        ("login.locked.423", "login", "locked 423 -"),
        ("login.locked.mock.json", "login", "locked - - settings"),
        ("login.401.json", "login", "401 - json"),
        ("login.401", "login", "401 - -"),
        ("users/show.404.json", "users/show", "404 - json"),
        ("avatar.small.png", "avatar.png", "small - png"),
        ("avatar.small.404.png", "avatar.png", "small 404 png"),
        ("avatar.png.404", "avatar.png", "404 - -"),
        ("avatar.small.png.mock.json", "avatar.png", "small - png settings"),
        ("avatar.png.small.mock.json", "avatar.png", "small - - settings"),
        ("ticker.events", "ticker", "- - events"),
        ("ticker.events", "ticker.events", "- - -"),
        ("ticker.busy.events", "ticker", "busy - events"),
        ("ticker.busy.events", "ticker.events", "busy - events"),
        ("ticker.busy.503.ndjson", "ticker", "busy 503 ndjson"),
        ("ticker.503.ndjson", "ticker", "503 - ndjson"),
        ("ticker.events.json", "ticker", "events - json"),
        ("ticker.events.mock.json", "ticker", nil),
        ("ticker.events.busy.events", "ticker.events", nil),
        ("ticker.events.mock.json", "ticker.events", "- - - settings"),
        ("login.locked", "login", nil),
        ("login.a.b.json", "login", nil),
        ("login.401.403.json", "login", nil),
        ("login.locked.423.mock.json", "login", nil),
        ("login.mock.mock.json", "login", nil),
        ("login.a/b.json", "login", nil),
        ("Login.json", "login", nil),
        ("logins.json", "login", nil),
        ("avatar.small.jpg", "avatar.png", nil),
    ]

    @Test func `A path is parsed for a mock and written back`() {
        for (path, mock, parts) in Self.readings {
            let name = MockFileName(path, of: mock)
            let found = name.map { name in
                let parts = [name.variant, name.status.map(String.init), name.type].map { $0 ?? "-" }
                return [name.path, name.mock] + parts + (name.isSettings ? ["settings"] : [])
            }
            #expect(found?.joined(separator: " ") == parts.map { "\(path) \(mock) \($0)" }, "\(path) of \(mock)")
        }
    }

    /// Paths, the files beside them, the names of routes, and the mock and variant that a file belongs to.
    private static let owned: [(path: String, files: [String], names: [String], owner: String)] = [
        ("login.locked.json", ["login.json"], ["login"], "login locked"),
        ("login.locked.json", [], ["login"], "login locked"),
        ("login.locked.json", ["login.json"], ["login", "login.locked"], "login.locked -"),
        ("login.locked.json", ["login.json"], [], "login locked"),
        ("login.locked.json", [], [], "login.locked -"),
        ("login.locked.423.json", [], ["login"], "login locked"),
        ("login.a.b.json", ["login.json"], ["login"], "login.a.b -"),
        ("logout.204", [], [], "logout -"),
        ("logout.204", [], ["logout"], "logout -"),
        ("ticker.events", [], [], "ticker -"),
        ("ticker.events", [], ["ticker"], "ticker -"),
        ("ticker.events", [], ["ticker", "ticker.events"], "ticker.events -"),
        ("ticker.busy.events", [], [], "ticker.busy -"),
        ("ticker.busy.events", ["ticker.events"], [], "ticker busy"),
        ("ticker.busy.events", ["ticker.json"], [], "ticker busy"),
        ("ticker.busy.events", [], ["ticker.events"], "ticker.events busy"),
        ("ticker.503.ndjson", [], [], "ticker 503"),
        ("ticker.events.mock.json", ["ticker.events"], ["ticker.events"], "ticker.events -"),
        ("ticker.mock.json", ["ticker.events"], ["ticker"], "ticker -"),
        ("avatar.small.png", [], ["avatar.png"], "avatar.png small"),
    ]

    @Test func `A mock named by a route owns the files it finds`() {
        for (path, files, names, expected) in Self.owned {
            let owner = MockIndex(files + [path]).owner(of: path, named: Set(names.map(ByteName.init)))
            #expect("\(owner.mock) \(owner.variant ?? "-")" == expected, "\(path) beside \(files), \(names)")
        }
    }
}
