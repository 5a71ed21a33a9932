@testable import FingerpostChecks
@testable import FingerpostFiles
@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockFolderCheckTests {
    private static func report(_ fixture: MockFolderFixture, _ folder: MockIndex) -> String {
        // 31 January 2026.
        let now = Date(timeIntervalSince1970: 1_769_817_600)
        return fixture.report(MockFolderCheck.problems(of: folder, at: now))
    }

    @Test(arguments: BrokenMocks.all) func `All problems of a broken folder are reported`(_ broken: WrittenCase) throws
    {
        // A name without a dot is a variable elsewhere.
        let fixture = try MockFolderFixture(broken.files.merging(broken.variables) { $1 }, links: broken.links)
        #expect(try Self.report(fixture, fixture.folder()) == broken.expected.joined(separator: "\n"))
    }

    @Test func `Bodies in other encodings are reported`() throws {
        let fixture = try MockFolderFixture()
        try fixture.write(Data([0xFF, 0xFE, 0x31, 0]), to: "a.json")
        try fixture.write(Data([0x22, 0xFF, 0x22]), to: "b.json")
        #expect(
            try Self.report(fixture, fixture.folder()) == """
                a.json:1:1: error: the file is not UTF-8. Fix: save the file as UTF-8
                b.json:1:2: error: a string is not valid UTF-8. Fix: save the file as UTF-8
                """)
    }

    /// Listings of folders that not every file system can store, and the reports.
    private static let listings: [([String], String)] = [
        (
            [
                "Users/", "Users/show.json", "users/", "users/show.json", "Login.401.json", "login.json",
                "login.401.json",
            ],
            #"""
            Login.401.json: warning: this is the variant "401" of "Login", which has no default answer. Fix: add Login.json, or rename it
            login.401.json: error: its name and "Login.401.json" differ only in letter case, which some file systems ignore. Fix: rename one of them
            users: error: its name and "Users" differ only in letter case, which some file systems ignore. Fix: rename one of them
            """#
        ),
        (
            ["gr\u{F6}\u{DF}e.json", "gro\u{308}\u{DF}e.json"],
            #"größe.json: error: its name and "größe.json" have the same characters in different bytes, which some file systems ignore. Fix: rename one of them"#
        ),
        (["pipe.json|"], "pipe.json: error: this is not a regular file. Fix: replace it with the file"),
    ]

    @Test(arguments: listings) func `Names that are equal on some file systems, and pipes, are reported`(
        listing: [String], report: String
    ) throws {
        let fixture = try MockFolderFixture()
        for path in listing where !"/|".contains(path.last ?? "/") { try fixture.write(Data("1".utf8), to: path) }
        let folder = MockIndex(url: fixture.url, entries: listing.map(Self.entry))
        #expect(Self.report(fixture, folder) == report)
    }

    /// As in the output of `ls -F`, `users/` is a folder and `pipe|` is a pipe.
    private static func entry(_ text: String) -> MockIndex.Entry {
        let kinds: [Character: MockIndex.Entry.Kind] = ["/": .folder, "|": .other]
        guard let kind = text.last.flatMap({ kinds[$0] }) else { return MockIndex.Entry(path: text, kind: .file) }
        return MockIndex.Entry(path: String(text.dropLast()), kind: kind)
    }
}
