import Foundation
import Testing

@testable import FingerpostFiles

@Suite struct MockFolderTests {
    // MARK: Lookup

    struct Lookup: CustomTestStringConvertible, Sendable {
        let name: String
        var variant: String?
        /// The files that are there; contents do not matter but for settings.
        let files: [String]
        /// The file and the status that answer, or else what is said.
        let result: String

        init(_ name: String, _ variant: String? = nil, in files: [String], _ result: String) {
            (self.name, self.variant, self.files, self.result) = (name, variant, files, result)
        }

        var testDescription: String { "\(name) \(variant ?? "as usual") in \(files)" }
    }

    private static let usual = [
        Lookup("login", in: ["login.json"], "login.json 200"),
        Lookup("users/show", in: ["users/show.json"], "users/show.json 200"),
        Lookup("avatar.png", in: ["avatar.png"], "avatar.png 200"),
        Lookup("data", in: ["data"], "data 200"),
        Lookup("data", in: ["data", "data.json"], "data.json 200"),
        Lookup("user.json", in: ["user.json"], "user.json 200"),
        Lookup("user.json", in: ["user.json.json", "user.json"], "user.json.json 200"),
        Lookup("logout", in: ["logout.204"], "logout.204 204"),
        Lookup("created", in: ["created.201.json"], "created.201.json 201"),
        Lookup("created", in: ["created.201.json", "created.json"], "created.json 200"),
        Lookup("created", in: ["created.201.json", "created.failed.json"], "created.201.json 201"),
        Lookup("v1.2", in: ["v1.2.json", "v1.json"], "v1.2.json 200"),
        Lookup("a.b.c", in: ["a.b.c.json", "a.json"], "a.b.c.json 200"),
        Lookup("login.401", in: ["login.401.json", "login.json"], "login.401.json 401"),
        Lookup("photo.200.png", in: ["photo.200.png"], "photo.200.png 200"),
        Lookup("🦉", in: ["🦉.json"], "🦉.json 200"),
    ]

    private static let variants = [
        Lookup("login", "401", in: ["login.json", "login.401.json"], "login.401.json 401"),
        Lookup("login", "401", in: ["login.401"], "login.401 401"),
        Lookup("login", "locked", in: ["login.json", "login.locked.423.json"], "login.locked.423.json 423"),
        Lookup("login", "locked", in: ["login.json", "login.locked.423"], "login.locked.423 423"),
        Lookup("login", "locked", in: ["login.json", "login.locked.json"], "login.locked.json 200"),
        Lookup("users/show", "404", in: ["users/show.json", "users/show.404"], "users/show.404 404"),
        Lookup("v1.2", "503", in: ["v1.2.json", "v1.2.503.json", "v1.503.json"], "v1.2.503.json 503"),
        Lookup("avatar.png", "small", in: ["avatar.png", "avatar.small.png"], "avatar.small.png 200"),
        Lookup("avatar.png", "404", in: ["avatar.png", "avatar.404.png"], "avatar.404.png 404"),
        Lookup("avatar.png", "gone", in: ["avatar.png", "avatar.gone.410.png"], "avatar.gone.410.png 410"),
        Lookup("avatar.png", "gone", in: ["avatar.png", "avatar.png.gone.410"], "avatar.png.gone.410 410"),
        Lookup("data", "500", in: ["data", "data.500"], "data.500 500"),
    ]

    private static let missing = [
        Lookup("login", in: [], "not found: "),
        Lookup("lgoin", in: ["login.json", "login.401.json"], "not found: login"),
        Lookup("user", in: ["User.json"], "not found: User"),
        Lookup("login", in: ["login.401.json"], "no variant: 401"),
        Lookup("login", "lokced", in: ["login.json", "login.401", "login.locked.json"], "no variant: locked, 401"),
        Lookup("login", "locked.423", in: ["login.json", "login.locked.423.json"], "no variant: locked"),
        Lookup("login", "mock", in: ["login.json"], "no variant: "),
        Lookup("login", "a/b", in: ["login.json", "login.a/b.json"], "no variant: "),
        Lookup("login", "", in: ["login.json"], "no variant: "),
        Lookup("login", "099", in: ["login.json", "login.099"], "no variant: "),
        Lookup("login", "600", in: ["login.json", "login.600"], "no variant: "),
        Lookup("created", "failed", in: ["created.201.json"], "no variant: "),
        Lookup("job.mock", in: ["job.json"], "malformed: it ends in .mock, which is kept for files of settings"),
        Lookup("job.mock.json", in: ["job.json"], "malformed: it ends in .mock, which is kept for files of settings"),
        Lookup("../x", in: ["x.json"], "malformed: it holds .., which could lead outside the folder"),
        Lookup(".hidden", in: [".hidden"], "not found: "),
    ]

    private static let double = [
        Lookup(
            "login", "locked", in: ["login.json", "login.locked.423.json", "login.locked.json"],
            "login.locked.423.json: error: the variant \"locked\" of \"login\" has two bodies: login.locked.423.json and login.locked.json. Fix: keep one of them"
        ),
        Lookup(
            "login", "401", in: ["login.json", "login.401", "login.401.json"],
            "login.401: error: the variant \"401\" of \"login\" has two bodies: login.401 and login.401.json. Fix: keep one of them"
        ),
        Lookup(
            "created", in: ["created.200.json", "created.201.json"],
            "created.200.json: error: the mock \"created\" has two bodies: created.200.json and created.201.json. Fix: keep one of them"
        ),
        Lookup(
            "avatar.png", "x", in: ["avatar.png", "avatar.x.404.png", "avatar.x.png"],
            "avatar.x.404.png: error: the variant \"x\" of \"avatar.png\" has two bodies: avatar.x.404.png and avatar.x.png. Fix: keep one of them"
        ),
    ]

    @Test(arguments: usual + variants + missing + double)
    func `A name and a variant find one file or say why not`(_ lookup: Lookup) throws {
        let files = Dictionary(uniqueKeysWithValues: lookup.files.map { ($0, "{}") })
        #expect(try MockFolderFixture(files).answer(lookup.name, variant: lookup.variant) == lookup.result)
    }
}
