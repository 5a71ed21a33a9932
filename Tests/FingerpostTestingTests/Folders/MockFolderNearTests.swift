@testable import FingerpostMockFiles
@testable import FingerpostMocks
@testable import FingerpostTesting

@Suite(.inTurn) struct MockFolderNearTests {
    @Test(arguments: ["Package.swift", ".git", "App.xcodeproj/project.pbxproj", "App.xcworkspace/contents", nil])
    func `The search stops at the root of a package, project or repository`(marker: String?) throws {
        var files = ["Mocks/a.json": "{}", "root/Tests/AppTests/AppTests.swift": ""]
        if let marker { files["root/\(marker)"] = "" }
        let folder = try TemporaryFolder(files)
        let file = folder["root/Tests/AppTests/AppTests.swift"].path
        let above = folder["Mocks"].standardizedFileURL
        // Without a mocks folder below the root, the search goes on where clients search.
        let found = try? MockIndex.url(near: file).standardizedFileURL
        #expect((found == above) == (marker == nil), "\(String(describing: found))")
    }

    @Test func `A test without its sources learns to bundle its mocks`() throws {
        let folder = try TemporaryFolder(["Tests/VTests/a.swift": ""])
        let sources = try #require(MockIndex.missingSources(of: folder["Tests/Moved/a.swift"].path))
        let test = APIScope(
            environment: nil, network: .sealed, mocks: nil, clock: VirtualClock(), seedOfTest: 0,
            missingSources: sources)
        let cache = MockIndexCache(configured: nil)
        let errors = [test, test.run { APIScope().run { APIScope.current } }].map { scope in
            cache.missing(nil, scope: scope, "It is sealed")
        }
        let text = "The sources of this test, \(sources), are not on this machine. It is sealed"
        let found = errors.map { error in
            [error.message.hasSuffix(text), error.fix?.contains(#"resources: [.copy("Mocks")]"#) == true]
        }
        let known = MockIndex.missingSources(of: folder["Tests/VTests/b.swift"].path)
        let hasOther = cache.missing(nil, scope: nil, "").message.contains("sources of")
        #expect((known, found, hasOther) == (nil, [[true, true], [true, true]], false), "\(errors)")
    }

    @Test func `The root's own folder is found`() throws {
        let folder = try TemporaryFolder([
            "root/Mocks/a.json": "{}", "root/App.xcodeproj/project.pbxproj": "", "root/AppTests/AppTests.swift": "",
        ])
        let found = try MockIndex.url(near: folder["root/AppTests/AppTests.swift"].path)
        #expect(found.standardizedFileURL == folder["root/Mocks"].standardizedFileURL)
    }
}
