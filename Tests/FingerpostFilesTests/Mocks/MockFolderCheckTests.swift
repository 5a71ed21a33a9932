import TestSupport

@testable import FingerpostChecks
@testable import FingerpostFiles
@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockFolderCheckTests {
    @Test(arguments: BrokenMocks.all) func `All problems of a broken folder are reported`(_ broken: BrokenMocks) throws
    {
        let fixture = try MockFolderFixture(broken.files, data: broken.data, links: broken.links)
        for path in broken.listing where !"/|".contains(path.last ?? "/") {
            try fixture.write(Data("1".utf8), to: path)
        }
        let now = try #require(ISO8601Text.date("2026-01-31T00:00:00Z"))
        let folder =
            broken.listing.isEmpty
            ? try fixture.folder() : MockIndex(url: fixture.url, entries: broken.listing.map(Self.entry))
        let report = fixture.report(MockFolderCheck.problems(of: folder, at: now))
        #expect(report == broken.report)
    }

    private static let settings = (BrokenMocks.keys + BrokenMocks.values + BrokenMocks.answers + BrokenMocks.otherFiles)
        .filter { $0.files["job.mock.json"] != nil && $0.report.contains("job.mock.json:") }

    @Test(arguments: settings) func `A lookup reports all problems in the settings of a mock`(
        _ broken: BrokenMocks
    ) throws {
        let fixture = try MockFolderFixture(broken.files, data: broken.data)
        let expected = broken.report.split(separator: "\n").filter {
            // The other problems depend on bodies and the time, and only the folder check reports them.
            $0.hasPrefix("job.mock.json:") && !$0.contains("has nothing at") && !$0.contains("recording expired at")
        }
        let reported = Set(try fixture.answer("job").split(separator: "\n"))
        #expect(expected.isEmpty ? reported == ["job.json 200"] : reported == Set(expected))
    }

    /// As in the output of `ls -F`, `users/` is a folder and `pipe|` is a pipe.
    private static func entry(_ text: String) -> MockIndex.Entry {
        let kinds: [Character: MockIndex.Entry.Kind] = ["/": .folder, "|": .other, "@": .link]
        guard let kind = text.last.flatMap({ kinds[$0] }) else { return MockIndex.Entry(path: text, kind: .file) }
        return MockIndex.Entry(path: String(text.dropLast()), kind: kind)
    }
}
