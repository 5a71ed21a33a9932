import FingerpostFiles
import Foundation
import TestSupport
import Testing

@Suite struct EnvironmentFolderTests {
    @Test func `Secrets missing from the bundle are read from the working directory`() throws {
        let folder = try TemporaryFolder([
            "bundled/A-Env.json": "{}", "work/A-Env.json": "{}", "work/A-Secrets.json": "{}",
        ])
        let files = try EnvironmentFolder(url: folder["bundled"], secrets: folder["work"])
        #expect(files.files.map { folder.relative($0.url.path) } == ["bundled/A-Env.json", "work/A-Secrets.json"])
        #expect(files.targets == ["A"])
    }
}
