import FingerpostFiles
import Foundation
import TestSupport
import Testing

@testable import Fingerpost

@Suite struct ResourceBundlesTests {
    /// - Returns: the path found, among these folders.
    private func found(_ files: [String], executable: String) throws -> String? {
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files.map { ("\($0)/A-Env.json", "{}") }))
        let process = ResourceBundles(
            places: [folder["build"]], executable: executable, workingDirectory: folder["work"])
        return try FolderSearch("Environments", process: process).found.map {
            folder.relative($0.standardizedFileURL.path)
        }
    }

    private static let work = "work/Environments"
    private static let app = "build/Package_App.resources/Environments"
    private static let model = "build/Package_Model.resources/Environments"
    private static let tests = "build/Package_AppTests.resources/Environments"

    @Test(
        arguments: [
            ([work], "App", work),
            ([work, app], "App", app),
            ([work, app], "Other", app),
            ([work, app, model], "App", app),
            ([work, app, model], "Other", work),
            ([app, model], "Other", app),
            ([work, app, tests], "PackagePackageTests.xctest", tests),
            ([work, app, tests], "AppTests-test-runner", tests),
            (["build/Package_App.bundle/Environments"], "App", "build/Package_App.bundle/Environments"),
            (
                ["build/P_App.bundle/Contents/Resources/Environments"], "App",
                "build/P_App.bundle/Contents/Resources/Environments"
            ),
            (["build/Package_App.resources/Mocks"], "App", nil),
        ] as [([String], String, String?)])
    func `The bundle of the running target is found first`(files: [String], executable: String, expected: String?)
        throws
    {
        #expect(try found(files, executable: executable) == expected)
    }
}
