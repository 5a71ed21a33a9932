@testable import FingerpostChecks
@testable import FingerpostFiles
@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockIndexTests {
    @Test func `A folder that could not be listed is known`() throws {
        let url = URL(fileURLWithPath: "/Mocks")
        let open = [MockIndex.Entry(path: "a", kind: .folder), MockIndex.Entry(path: "a/b.json", kind: .file)]
        let folders = [open, open + [MockIndex.Entry(path: "c", kind: .closedFolder)]]
        #expect(
            folders.map { MockIndex(url: url, entries: $0).unlistedFolder?.description } == [
                nil, "/Mocks/c: error: the folder cannot be read. Fix: make it readable",
            ])
    }

    // MARK: Lookup

    /// A name and a variant, the files in the folder, and the file and status of the answer, or the failure.
    private typealias Lookup = (name: String, variant: String?, files: [String], result: String)

    private static let usual: [Lookup] = [
        ("login", nil, ["login.json"], "login.json 200"),
        ("users/show", nil, ["users/show.json"], "users/show.json 200"),
        ("avatar.png", nil, ["avatar.png"], "avatar.png 200"),
        ("data", nil, ["data"], "data 200"),
        ("data", nil, ["data", "data.json"], "data.json 200"),
        ("user.json", nil, ["user.json"], "user.json 200"),
        ("user.json", nil, ["user.json.json", "user.json"], "user.json.json 200"),
        ("logout", nil, ["logout.204"], "logout.204 204"),
        ("created", nil, ["created.201.json"], "created.201.json 201"),
        ("created", nil, ["created.201.json", "created.json"], "created.json 200"),
        ("created", nil, ["created.201.json", "created.failed.json"], "created.201.json 201"),
        ("v1.2", nil, ["v1.2.json", "v1.json"], "v1.2.json 200"),
        ("a.b.c", nil, ["a.b.c.json", "a.json"], "a.b.c.json 200"),
        ("login.401", nil, ["login.401.json", "login.json"], "login.401.json 401"),
        ("photo.200.png", nil, ["photo.200.png"], "photo.200.png 200"),
        ("🦉", nil, ["🦉.json"], "🦉.json 200"),
    ]

    private static let variants: [Lookup] = [
        ("login", "401", ["login.json", "login.401.json"], "login.401.json 401"),
        ("login", "401", ["login.401"], "login.401 401"),
        ("login", "locked", ["login.json", "login.locked.423.json"], "login.locked.423.json 423"),
        ("login", "locked", ["login.json", "login.locked.423"], "login.locked.423 423"),
        ("login", "locked", ["login.json", "login.locked.json"], "login.locked.json 200"),
        ("users/show", "404", ["users/show.json", "users/show.404"], "users/show.404 404"),
        ("v1.2", "503", ["v1.2.json", "v1.2.503.json", "v1.503.json"], "v1.2.503.json 503"),
        ("avatar.png", "small", ["avatar.png", "avatar.small.png"], "avatar.small.png 200"),
        ("avatar.png", "404", ["avatar.png", "avatar.404.png"], "avatar.404.png 404"),
        ("avatar.png", "gone", ["avatar.png", "avatar.gone.410.png"], "avatar.gone.410.png 410"),
        ("avatar.png", "gone", ["avatar.png", "avatar.png.gone.410"], "avatar.png.gone.410 410"),
        ("created", "201", ["created.201.json"], "created.201.json 201"),
        ("data", "500", ["data", "data.500"], "data.500 500"),
    ]

    private static let missing: [Lookup] = [
        ("login", nil, [], "not found: "),
        ("lgoin", nil, ["login.json", "login.401.json"], "not found: login"),
        ("user", nil, ["User.json"], "not found: User"),
        ("login", nil, ["login.401.json"], "no variant: 401"),
        ("login", "lokced", ["login.json", "login.401", "login.locked.json"], "no variant: locked, 401"),
        ("login", "locked.423", ["login.json", "login.locked.423.json"], "no variant: locked"),
        ("login", "mock", ["login.json"], "no variant: "),
        ("login", "a/b", ["login.json", "login.a/b.json"], "no variant: "),
        ("login", "", ["login.json"], "no variant: "),
        ("login", "099", ["login.json", "login.099"], "no variant: "),
        ("login", "600", ["login.json", "login.600"], "no variant: "),
        ("created", "failed", ["created.201.json"], "no variant: 201"),
        ("job.mock", nil, ["job.json"], "malformed: it ends in .mock, which is reserved for settings files"),
        ("job.mock.json", nil, ["job.json"], "malformed: it ends in .mock, which is reserved for settings files"),
        ("../x", nil, ["x.json"], "malformed: it contains .., which could lead outside the folder"),
        (".hidden", nil, [".hidden"], "malformed: it contains .hidden, which names a hidden file"),
        (
            "_scenarios", nil, ["_scenarios.json"],
            "malformed: _scenarios.json contains the scenarios, and is no mock"
        ),
    ]

    @Test(arguments: usual + variants + missing)
    func `A name and a variant resolve to one file or a failure`(
        name: String, variant: String?, files: [String], result: String
    ) throws {
        let fixture = try MockFolderFixture(Dictionary(uniqueKeysWithValues: files.map { ($0, "{}") }))
        #expect(try fixture.answer(name, variant: variant) == result)
    }

    @Test func `A typo in letter case is rejected even if the file system ignores case`() throws {
        let fixture = try MockFolderFixture(["login.json": "{}", "Login.json": "{}"])
        let folder = MockIndex(url: fixture.url, entries: [MockIndex.Entry(path: "Login.json", kind: .file)])
        #expect(try fixture.answer("login", in: folder) == "not found: Login")
    }

    @Test func `Names with composed and decomposed letters are different names`() throws {
        let composed = "gr\u{F6}\u{DF}e"
        let decomposed = "gro\u{308}\u{DF}e"
        #expect(composed == decomposed)
        let fixture = try MockFolderFixture()
        try fixture.write(Data("[1]".utf8), to: decomposed + ".json")
        let answers = try [decomposed, composed].map { try fixture.answer($0) }
        #expect(answers == ["\(decomposed).json 200", "not found: \(decomposed)"])
        #if os(Linux)
            try fixture.write(Data("[2]".utf8), to: composed + ".json")
            let folder = try fixture.folder()
            let files = try [decomposed, composed].map { try folder.mock(named: $0).file ?? "" }
            #expect(
                (files.map { Array($0.utf8) }, files.map { fixture.text(of: $0, in: folder) }) == (
                    [Array("\(decomposed).json".utf8), Array("\(composed).json".utf8)], ["[1]", "[2]"]
                ))
        #endif
    }

    // MARK: Contents

    @Test func `A link inside the folder is followed, and a folder that is a link is opened`() throws {
        let fixture = try MockFolderFixture(
            ["users/show.json": "[1]", "job.json": "1"],
            links: [
                "user.json": "users/show.json", "users/job.mock.json": "../settings.json", "deep.json": "user.json",
            ])
        try fixture.write(Data(#"{ "status": 202 }"#.utf8), to: "settings.json")
        let link = fixture.url.deletingLastPathComponent().appendingPathComponent("Linked")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: fixture.url)
        for folder in try [fixture.folder(), MockIndex(url: link)] {
            let texts = ["users/show.json", "user.json", "deep.json"].map { fixture.text(of: $0, in: folder) }
            let status = try folder.mock(named: "users/job").settings?.response.status
            let problems = fixture.report(MockFolderCheck.problems(of: folder))
            #expect((texts, status, problems) == (["[1]", "[1]", "[1]"], 202, ""))
        }
    }

    private static let links = [
        ("/etc/passwd", "this link leads outside the folder. Fix: replace it with the file"),
        ("gone", "this is a link to a file that does not exist. Fix: correct or remove it"),
        ("folder", "this is a link to a folder, which is not followed. Fix: replace it with the folder"),
    ]

    @Test(arguments: links) func `An invalid link is rejected`(target: String, message: String) throws {
        let fixture = try MockFolderFixture(["folder/": ""], links: ["user.json": target, "job.mock.json": target])
        let folder = try fixture.folder()
        let file = try folder.mock(named: "user").file ?? "-"
        #expect(
            try [fixture.text(of: file, in: folder), fixture.answer("job")] == [
                "user.json: error: \(message)", "job.mock.json: error: \(message)",
            ])
    }

    @Test func `A body is the same for concurrent callers, and when its file has changed`() async throws {
        let text = String(repeating: "x", count: 2_000_000)
        let fixture = try MockFolderFixture(["note.txt": text, "data": "1", "small.png": "2"])
        let folder = try fixture.folder()
        let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<100 { group.addTask { try folder.body(file: "note.txt").data } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        let types = try ["note.txt", "data", "small.png"].map { try folder.body(file: $0).type }
        try fixture.write(Data("2".utf8), to: "data")
        #expect(
            (bodies, types, fixture.text(of: "data", in: folder)) == (
                [Data(text.utf8)], ["text/plain", nil, "image/png"], "1"
            ))
    }

    @Test func `A removed file is reported`() throws {
        let fixture = try MockFolderFixture(["user.json": "1", "job.mock.json": "{}"])
        let folder = try fixture.folder()
        try FileManager.default.removeItem(at: fixture.url.appendingPathComponent("user.json"))
        try FileManager.default.removeItem(at: fixture.url.appendingPathComponent("job.mock.json"))
        #expect(
            try [fixture.text(of: "user.json", in: folder), fixture.answer("job", in: folder)] == [
                "user.json: error: there is no such file", "job.mock.json: error: there is no such file",
            ])
    }

    /// Disabled for the superuser, who can read any file.
    @Test(.enabled(if: geteuid() != 0)) func `Unreadable files and folders are reported`() throws {
        let fixture = try MockFolderFixture(["user.json": "1", "closed/show.json": "1", "job.mock.json": "{}"])
        for name in ["user.json", "closed", "job.mock.json"] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0], ofItemAtPath: fixture.url.appendingPathComponent(name).path)
        }
        let report = fixture.report(MockFolderCheck.problems(of: try fixture.folder()))
        let problems = ["closed: error: the folder", "user.json: error: the file", "job.mock.json: error: the file"]
        #expect(problems.filter { !report.contains("\($0) cannot be read") } == [], "\(report)")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: fixture.url.appendingPathComponent("closed").path)
    }

    #if os(Linux)
        @Test func `A name that is not UTF-8 is reported and never found`() throws {
            let fixture = try MockFolderFixture(["user.json": "1"])
            let path = Array(fixture.url.path.utf8) + Array("/a".utf8) + [0xFF] + Array(".json".utf8) + [0]
            close(path.withUnsafeBytes { open($0.bindMemory(to: CChar.self).baseAddress!, O_CREAT, 0o600) })
            let folder = try fixture.folder()
            let report = fixture.report(MockFolderCheck.problems(of: folder))
            #expect(
                (folder.mockNames, folder.stub(named: "a\u{FFFD}").exists, report) == (
                    ["user"], false,
                    "a\u{FFFD}.json: error: no route can name this mock: its name is not UTF-8. Fix: rename it"
                ))
        }
    #endif

    // MARK: Names

    @Test func `Variants and settings are not mocks of their own`() throws {
        let names = [
            "login.json", "login.401.json", "login.locked.423.json", "login.locked.mock.json", "login.mock.json",
            "logout.204", "created.201.json", "created.failed.json", "job.pending.json", "only.mock.json", "data",
            "data.500", "avatar.png", "avatar.small.png", "avatar.small.404.png", "avatar.png.mock.json", "v1.2.json",
            "v1.2.503.json", "a/b.json", "a/b.c.json", "later.401.json", "jquery.min.js",
        ]
        #expect(
            Set(MockIndex(names).mockNames) == [
                "a/b", "avatar.png", "created", "data", "job.pending", "jquery.min.js", "later", "login", "logout",
                "only", "v1.2",
            ])
    }

    private static let neighbours = [[], ["a.mock.json"], ["a.b.png", "a.json"], ["a.json", "a.b.401.json"]]

    /// All names of up to three parts, and some of four.
    private static let names: [String] = {
        let parts = ["a", "b", "401", "201", "mock", "json", "png", "", "é/a"]
        let longer = { (names: [String], parts: [String]) in names.flatMap { name in parts.map { "\(name).\($0)" } } }
        let two = longer(parts, parts)
        let of = ["401", "json", "mock"]
        return parts + two + longer(two, parts) + longer(longer(longer(["a", "b"], of), of), of + ["b"])
    }()

    @Test(.heavy, arguments: neighbours) func `A file belongs to a mock that finds it`(neighbours: [String]) throws {
        for name in Self.names where !neighbours.contains(name) {
            let index = MockIndex(neighbours + [name])
            for file in index.fileNames {
                let owner = index.owner(of: file)
                // The folder check reports these.
                let isTold =
                    MockFileName.objection(to: owner.mock) != nil || index.hasFile(file + ".json")
                    || file.contains(".json.")
                #expect(
                    isTold || index.stub(named: owner.mock).has(file, as: owner.variant),
                    "\(file) in \(index.fileNames)")
            }
        }
    }

    @Test func `A hundred similar names at most are searched for`() throws {
        let files = (0..<150).flatMap {
            [("mock\($0).mock.json", #"{"body": "nock\#($0).json"}"#), ("mock\($0)x.json", "{}")]
        }
        let mocks = try MockFolderFixture(Dictionary(uniqueKeysWithValues: files))
        let problems = MockFolderCheck.problems(of: try mocks.folder())
        #expect(problems.count == 150 && problems.count { "\($0)".contains("did you mean") } == 100)
    }
}
