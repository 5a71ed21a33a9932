@testable import FingerpostFiles
@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockFileNameTests {
    struct Reading: CustomTestStringConvertible, Sendable {
        let path: String
        let mock: String
        /// The variant, the status, the extension, and `settings`; nil when the file does not belong to the mock.
        let parts: String?

        init(_ path: String, of mock: String, _ parts: String?) {
            (self.path, self.mock, self.parts) = (path, mock, parts)
        }

        var testDescription: String { "\(path) of \(mock)" }
    }

    private static let readings = [
        Reading("login.json", of: "login", "- - json"),
        Reading("login", of: "login", "- - -"),
        Reading("login.mock.json", of: "login", "- - - settings"),
        Reading("login.locked.json", of: "login", "locked - json"),
        Reading("login.locked.json", of: "login.locked", "- - json"),
        Reading("login.locked.423.json", of: "login", "locked 423 json"),
        Reading("login.locked.423.json", of: "login.locked", "423 - json"),
        Reading("login.locked.423", of: "login", "locked 423 -"),
        Reading("login.locked.mock.json", of: "login", "locked - - settings"),
        Reading("login.401.json", of: "login", "401 - json"),
        Reading("login.401", of: "login", "401 - -"),
        Reading("users/show.404.json", of: "users/show", "404 - json"),
        Reading("avatar.small.png", of: "avatar.png", "small - png"),
        Reading("avatar.small.404.png", of: "avatar.png", "small 404 png"),
        Reading("avatar.png.404", of: "avatar.png", "404 - -"),
        Reading("avatar.small.png.mock.json", of: "avatar.png", "small - png settings"),
        Reading("avatar.png.small.mock.json", of: "avatar.png", "small - - settings"),
        Reading("ticker.events", of: "ticker", "- - events"),
        Reading("ticker.events", of: "ticker.events", "- - -"),
        Reading("ticker.busy.events", of: "ticker", "busy - events"),
        Reading("ticker.busy.events", of: "ticker.events", "busy - events"),
        Reading("ticker.busy.503.ndjson", of: "ticker", "busy 503 ndjson"),
        Reading("ticker.503.ndjson", of: "ticker", "503 - ndjson"),
        Reading("ticker.events.json", of: "ticker", "events - json"),
        Reading("ticker.events.mock.json", of: "ticker", nil),
        Reading("ticker.events.busy.events", of: "ticker.events", nil),
        Reading("ticker.events.mock.json", of: "ticker.events", "- - - settings"),
        Reading("login.locked", of: "login", nil),
        Reading("login.a.b.json", of: "login", nil),
        Reading("login.401.403.json", of: "login", nil),
        Reading("login.locked.423.mock.json", of: "login", nil),
        Reading("login.mock.mock.json", of: "login", nil),
        Reading("login.a/b.json", of: "login", nil),
        Reading("Login.json", of: "login", nil),
        Reading("logins.json", of: "login", nil),
        Reading("avatar.small.jpg", of: "avatar.png", nil),
    ]

    @Test(arguments: readings) func `A path is parsed for a mock and written back`(_ reading: Reading) throws {
        let name = MockFileName(reading.path, of: reading.mock)
        let parts = name.map { name in
            [name.variant, name.status.map(String.init), name.type].map { $0 ?? "-" }
                + (name.isSettings ? ["settings"] : [])
        }
        #expect(parts?.joined(separator: " ") == reading.parts)
        if let name { #expect(name.path == reading.path && name.mock == reading.mock) }
    }

    struct Owned: CustomTestStringConvertible, Sendable {
        let path: String
        let files: [String]
        let names: [String]
        let owner: String

        var testDescription: String { "\(path) in \(files), named \(names)" }
    }

    private static let owned = [
        Owned(path: "login.locked.json", files: ["login.json"], names: ["login"], owner: "login locked"),
        Owned(path: "login.locked.json", files: [], names: ["login"], owner: "login locked"),
        Owned(
            path: "login.locked.json", files: ["login.json"], names: ["login", "login.locked"], owner: "login.locked -"),
        Owned(path: "login.locked.json", files: ["login.json"], names: [], owner: "login locked"),
        Owned(path: "login.locked.json", files: [], names: [], owner: "login.locked -"),
        Owned(path: "login.locked.423.json", files: [], names: ["login"], owner: "login locked"),
        Owned(path: "login.a.b.json", files: ["login.json"], names: ["login"], owner: "login.a.b -"),
        Owned(path: "logout.204", files: [], names: [], owner: "logout -"),
        Owned(path: "logout.204", files: [], names: ["logout"], owner: "logout -"),
        Owned(path: "ticker.events", files: [], names: [], owner: "ticker -"),
        Owned(path: "ticker.events", files: [], names: ["ticker"], owner: "ticker -"),
        Owned(path: "ticker.events", files: [], names: ["ticker", "ticker.events"], owner: "ticker.events -"),
        Owned(path: "ticker.busy.events", files: [], names: [], owner: "ticker.busy -"),
        Owned(path: "ticker.busy.events", files: ["ticker.events"], names: [], owner: "ticker busy"),
        Owned(path: "ticker.busy.events", files: ["ticker.json"], names: [], owner: "ticker busy"),
        Owned(path: "ticker.busy.events", files: [], names: ["ticker.events"], owner: "ticker.events busy"),
        Owned(path: "ticker.503.ndjson", files: [], names: [], owner: "ticker 503"),
        Owned(
            path: "ticker.events.mock.json", files: ["ticker.events"], names: ["ticker.events"],
            owner: "ticker.events -"),
        Owned(path: "ticker.mock.json", files: ["ticker.events"], names: ["ticker"], owner: "ticker -"),
        Owned(path: "avatar.small.png", files: [], names: ["avatar.png"], owner: "avatar.png small"),
    ]

    @Test(arguments: owned) func `A mock named by a route owns the files it finds`(_ owned: Owned) {
        let owner = MockIndex(owned.files + [owned.path]).owner(
            of: owned.path, named: Set(owned.names.map(ByteName.init)))
        #expect("\(owner.mock) \(owner.variant ?? "-")" == owned.owner)
    }
}
