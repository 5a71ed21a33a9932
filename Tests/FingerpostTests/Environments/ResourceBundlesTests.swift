import FingerpostFiles
import TestSupport

@testable import Fingerpost

@Suite(.inTurn) struct ResourceBundlesTests {
    private static func folder(_ files: [String]) throws -> TemporaryFolder {
        try TemporaryFolder(Dictionary(uniqueKeysWithValues: files.map { ($0, "{}") }))
    }

    /// A process with these bundles in a folder, whose working directory is `work` in it.
    private static func process(
        _ bundles: [String], in folder: TemporaryFolder, executable: String = "App"
    ) -> ResourceBundles {
        ResourceBundles(
            loaded: bundles.map { folder[$0] }, executable: executable, workingDirectory: folder["work"])
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
    func `The bundle of the running target is found first`(places: [String], executable: String, expected: String?)
        throws
    {
        let folder = try Self.folder(places.map { "\($0)/A-Env.json" })
        let process = Self.process(["build"], in: folder, executable: executable)
        let found = try FolderSearch("Environments", process: process).found
        #expect(found.map { folder.relative($0.standardizedFileURL.path) } == expected)
    }

    /// The loaded bundles of a test bundle that an app hosts, on iOS and on macOS.
    private static let hosted = ["App.app/PlugIns/AppTests.xctest", "App.app", "App.app/Frameworks/Kit.framework"]
    private static let hostedOnMac = ["App.app/Contents/PlugIns/AppTests.xctest", "App.app"]

    @Test(
        arguments: [
            // A folder in a test bundle, in the app, and in a framework.
            (hosted, ["App.app/PlugIns/AppTests.xctest/Mocks/a.json", "App.app/Mocks/a.json"], 0),
            (hosted, ["App.app/Mocks/a.json", "App.app/Frameworks/Kit.framework/Mocks/a.json"], 0),
            (hosted, ["App.app/Frameworks/Kit.framework/Mocks/a.json"], 0),
            (hostedOnMac, ["App.app/Contents/PlugIns/AppTests.xctest/Contents/Resources/Mocks/a.json"], 0),
            (hostedOnMac, ["App.app/Contents/Resources/Mocks/a.json"], 0),
            // The resource bundle of a package's target, in each of them and beside a test bundle.
            (hosted, ["App.app/PlugIns/AppTests.xctest/P_AppTests.bundle/Mocks/a.json"], 0),
            (hosted, ["App.app/P_Model.bundle/Mocks/a.json"], 0),
            (hosted, ["App.app/Frameworks/Kit.framework/P_Kit.bundle/Mocks/a.json"], 0),
            (["debug/PTests.xctest"], ["debug/P_PTests.bundle/Contents/Resources/Mocks/a.json"], 0),
            (["debug/PTests.xctest"], ["debug/PTests.xctest/Contents/Resources/P_PTests.bundle/Mocks/a.json"], 0),
            // Files at the top level, where Xcode puts the files of synchronized groups.
            (hosted, ["App.app/PlugIns/AppTests.xctest/a.json", "App.app/b.json"], 0),
            (hosted, ["App.app/Testing-Env.json", "App.app/Frameworks/Kit.framework/a.json"], 1),
            (hosted, ["App.app/a.json", "App.app/Frameworks/Kit.framework/Mocks/b.json"], 1),
            (hosted, ["App.app/PlugIns/AppTests.xctest/Info.plist", "App.app/Assets.car"], nil),
            // The folder of an executable contains other files as well.
            (["debug"], ["debug/description.json"], nil),
        ] as [([String], [String], Int?)])
    func `Folders and files of loaded bundles are found`(bundles: [String], files: [String], expected: Int?) throws {
        let folder = try Self.folder(files)
        let search = try FolderSearch("Mocks", process: Self.process(bundles, in: folder))
        let found = search.found ?? search.topLevel
        let file = expected.map { folder[files[$0]].deletingLastPathComponent().standardizedFileURL.path }
        #expect(found?.standardizedFileURL.path == file)
    }

    @Test func `Environments at the top level of a bundle are found`() throws {
        let folder = try TemporaryFolder(["App.app/Testing-Env.plist": "", "App.app/user.json": ""])
        let search = try FolderSearch("Environments", process: Self.process(["App.app"], in: folder))
        #expect(search.topLevel == folder["App.app"])
    }

    @Test(arguments: [
        (["P/Package.swift", "P/Environments/A-Env.json"], "P/.build/debug", true),
        (["P/Package.swift"], "P/.build/debug", false), (["P/Environments/A-Env.json"], "P/.build/debug", false),
        (["P/Package.swift", "P/Environments/A-Env.json"], "P/App.app", false),
    ])
    func `A folder that is only in the package has to be bundled`(files: [String], bundle: String, isFix: Bool) throws {
        let folder = try Self.folder(files)
        let failure = environmentFailure {
            try EnvironmentFolder(searching: nil, for: nil, process: Self.process([bundle], in: folder))
        }
        let fix = isFix ? "bundle P/Environments: add the plugin" : "add Environments/"
        #expect(folder.relative(failure).contains(". Fix: \(fix)"), "\(failure)")
    }

    /// The loaded bundles of each kind of process, and the places in them.
    private static let processes: [(bundles: [String], places: [String])] = [
        (["App.app"], ["App.app", "App.app/P_Model.bundle"]),
        (["Mac.app"], ["Mac.app/Contents/Resources", "Mac.app/Contents/Resources/P_Model.bundle/Contents/Resources"]),
        (
            ["App.app/PlugIns/Widget.appex"],
            ["App.app/PlugIns/Widget.appex", "App.app/PlugIns/Widget.appex/P_Model.bundle"]
        ),
        (["App.app", "App.app/Frameworks/Kit.framework"], ["App.app/Frameworks/Kit.framework"]),
        (["debug/AppTests.xctest"], ["debug/AppTests.xctest", "debug/AppTests.xctest/P_Model.bundle"]),
        (["tool"], ["tool", "tool/P_tool.resources"]),
    ]

    @Test(arguments: processes, [[], ["Other.bundle", "Third.bundle"]])
    func `A folder in a loaded bundle comes before the working directory`(
        process: (bundles: [String], places: [String]), others: [String]
    ) throws {
        for place in process.places {
            // Resource bundles of other packages do not change the order.
            let files =
                ["\(place)/Environments/A-Env.json", "work/Environments/A-Env.json"]
                + others.map { "\(process.places[0])/\($0)/Environments/A-Env.json" }
            let folder = try Self.folder(files)
            let search = try FolderSearch(
                "Environments", process: Self.process(process.bundles, in: folder, executable: "tool"))
            let isBefore = search.found?.standardizedFileURL.path.hasPrefix(folder["work"].path) == false
            #expect(
                isBefore && search.lookedIn.contains(folder["work/Environments"].standardizedFileURL.path), "\(place)")
        }
    }

    @Test func `The working directory adds no secrets to an app`() throws {
        let bundles = ["App.app", "App.app/PlugIns/Widget.appex", "tool"]
        let apps = try bundles.filter { bundle in
            let folder = try Self.folder(["\(bundle)/Environments/A-Env.json"])
            let process = Self.process([bundle], in: folder, executable: "tool")
            return try FolderSearch("Environments", process: process).working == nil
        }
        #expect(apps == ["App.app", "App.app/PlugIns/Widget.appex"])
    }

    /// The process of Xcode that shows previews of a package's target is an app without the package's bundles.
    @Test(arguments: [
        (["PACKAGE_RESOURCE_BUNDLE_PATH": "Debug"], true), (["PACKAGE_RESOURCE_BUNDLE_URL": "Debug"], true),
        (["PACKAGE_RESOURCE_BUNDLE_PATH": "Debug/P_Model.bundle"], true),
        (["__XCODE_BUILT_PRODUCTS_DIR_PATHS": "Other:Debug"], true),
        (["PACKAGE_RESOURCE_BUNDLE_PATH": "", "__XCODE_BUILT_PRODUCTS_DIR_PATHS": ":"], false), ([:], false),
    ])
    func `A preview finds the bundles of its package`(variables: [String: String], isFound: Bool) throws {
        let folder = try TemporaryFolder(["Debug/P_Model.bundle/Mocks/a.json": "{}", "XCPreviewAgent.app/a.txt": ""])
        func found(_ flag: String) throws -> URL? {
            var variables = variables.mapValues { value in
                value.split(separator: ":").map { folder[String($0)].path }.joined(separator: ":")
            }
            variables["XCODE_RUNNING_FOR_PREVIEWS"] = flag
            let process = ResourceBundles(
                loaded: [folder["XCPreviewAgent.app"]] + PreviewProcess.folders(variables),
                executable: "XCPreviewAgent", workingDirectory: folder["work"])
            return try FolderSearch("Mocks", process: process).found
        }
        let seen = try (found("1") != nil, found("0"))
        #expect(seen == (isFound, nil))
    }

    @Test func `Bundles of the system are not searched`() {
        let ofSystem = [
            "/System/Library/Frameworks/UIKit.framework",
            "/Library/Developer/CoreSimulator/Volumes/R/RuntimeRoot/System/Library/Frameworks/UIKit.framework",
            "/Applications/Xcode.app/Contents/Developer/Platforms/X/Library/Frameworks/XCTest.framework",
        ]
        let ofApps = [
            "/private/var/containers/Bundle/Application/X/App.app/Frameworks/Kit.framework",
            "/Users/me/Library/Developer/Xcode/DerivedData/App/Build/Products/Debug/App.app",
        ]
        #expect((ofSystem + ofApps).filter { ResourceBundles.isOfSystem(URL(fileURLWithPath: $0)) } == ofSystem)
    }
}
