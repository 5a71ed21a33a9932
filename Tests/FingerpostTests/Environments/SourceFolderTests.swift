import FingerpostFiles
import TestSupport

@testable import Fingerpost

@Suite(.inTurn) struct SourceFolderTests {
    @Test(
        arguments: [
            ("/build/debug/Weather_Model.resources/Environments", ["Weather_Model", "Model"]),
            ("/build/my_app_My-Kit.bundle/Contents/Resources/Environments", ["my_app_My_Kit", "app_My_Kit", "My_Kit"]),
            ("/Apps/My App.app/Contents/Resources/Environments", ["My_App"]),
            ("/Apps/App.app", ["App"]),
            ("/Apps/App.app/P_Model.bundle/Environments", ["P_Model", "Model"]),
            ("/Apps/App.app/PlugIns/App.Tests.xctest/Environments", ["App_Tests"]),
            ("/Apps/App.app/Frameworks/3D–Käse.framework/Environments", ["_D_Käse"]),
            ("/home/me/Weather/Environments", []),
            ("/home/me/Weather.old/Environments", []),
        ])
    func `The bundle around a folder names the modules that may contain its source`(path: String, expected: [String]) {
        #expect(SourceFolder.modules(ofBundleAround: URL(fileURLWithPath: path)) == expected)
    }

    private static let own = "/build/Fingerpost_FingerpostTests.resources/Environments"

    #if DEBUG
        @Test(arguments: [own, "/Apps/FingerpostTests.app", "/Apps/App.app/P_FingerpostTests.bundle/Environments"])
        func `A debug build knows the source folder of its environments`(path: String) {
            let folders = SourceFolder.folders(withSecretsOf: URL(fileURLWithPath: path))
            #expect(folders?.map(\.path) == [RepositoryFiles.root.appendingPathComponent("Environments").path, path])
        }
    #else
        @Test func `A release build does not know the source folder of its environments`() {
            #expect(
                SourceFolder.folders(withSecretsOf: URL(fileURLWithPath: Self.own)) == [URL(fileURLWithPath: Self.own)])
        }
    #endif

    @Test func `Other folders have no source folder`() {
        let other = URL(fileURLWithPath: "/build/P_Other.resources/Environments")
        let folders = [URL(fileURLWithPath: "/home/me/Weather/Environments"), other].map(
            SourceFolder.folders(withSecretsOf:))
        #expect(folders == [nil, [other]])
    }

    // MARK: Searching

    @Test func `A copy that the code names is searched for secrets like one that is found`() throws {
        let folder = try TemporaryFolder([
            "P_FingerpostTests.bundle/Environments/X-Env.json": #"{"$secrets": ["k"], "k": null}"#,
            "plain/X-Env.json": #"{"$secrets": ["k"], "k": null}"#,
        ])
        let (copy, plain) = ("P_FingerpostTests.bundle/Environments", "plain")
        let texts = [copy, plain].map { path in
            folder.relative(environmentFailure { try Environment.load("X", from: folder[path]) })
        }
        #if DEBUG
            #expect(texts[0].contains("/Environments, \(copy) for X-Secrets"), "\(texts[0])")
        #endif
        let isPlain = ["looked in plain for X-Secrets", "add it to plain/X-Secrets.json"].allSatisfy(texts[1].contains)
        let isError = !texts[0].hasPrefix("no error") && !texts[0].contains("add it to P_FingerpostTests.bundle")
        #expect(isError && isPlain, "\(texts)")
    }

    @Test func `The working directory is searched for the secrets of a copy`() throws {
        let folder = try TemporaryFolder([
            "build/P_App.resources/Environments/X-Env.json": #"{"$secrets": ["k"], "k": null}"#,
            "work/Environments/X-Secrets.json": #"{"k": "s3cret"}"#,
        ])
        let process = ResourceBundles(loaded: [folder["build"]], executable: "App", workingDirectory: folder["work"])
        let found = try EnvironmentFolder(searching: nil, for: nil, process: process)
        let secrets = try found.file(for: "X", isCommitted: false)
        #expect(secrets?.url == folder["work/Environments/X-Secrets.json"])
    }
}
