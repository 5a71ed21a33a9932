import TestSupport

/// Runs the script of the article "Shipping it" under `sh`, with the variables that Xcode sets.
@Suite(.inTurn) struct RunScriptTests {
    private static func script() throws -> String {
        let page = try RepositoryFiles.text("Sources/Fingerpost/Fingerpost.docc/ShippingIt.md")
        return try #require(
            page.components(separatedBy: "```sh\n").dropFirst().first?.components(separatedBy: "\n```").first)
    }

    private static let files = [
        "Mocks/user.json", "Mocks/a/b.json", "Environments/Testing-Env.json", "Environments/Testing-Env.plist",
        "Environments/Production-Env.json", "Environments/Base-Env.json", "Assets.car",
    ]
    private static let shipped = ["Assets.car", "Environments/Base-Env.json", "Environments/Production-Env.json"]

    private func run(
        _ variables: [String: String], in folder: TemporaryFolder
    ) throws -> (status: Int32, files: [String]) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", try Self.script()]
        process.environment = variables.merging(["PATH": "/usr/bin:/bin"]) { $1 }
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let below = FileManager.default.enumerator(atPath: folder["Products"].path)?.compactMap { $0 as? String } ?? []
        return (process.terminationStatus, below.filter { !folder["Products/\($0)"].isFolder }.sorted())
    }

    private func variables(_ folder: TemporaryFolder, _ configuration: String, _ resources: String) -> [String: String]
    {
        [
            "CONFIGURATION": configuration, "TARGET_BUILD_DIR": folder["Products"].path,
            "UNLOCALIZED_RESOURCES_FOLDER_PATH": resources, "DERIVED_FILE_DIR": folder["Derived Sources"].path,
            "SCRIPT_OUTPUT_FILE_0": folder["Derived Sources/without-mocks"].path,
        ]
    }

    @Test(
        arguments: ["Release", "AppStore", "Staging", "Debug", "Staging Debug", "debug-internal", "Development"],
        ["My App.app", "My App.app/Contents/Resources"])
    func `Only what is for debugging keeps mocks and Testing`(configuration: String, resources: String) throws {
        let folder = try TemporaryFolder(
            Dictionary(uniqueKeysWithValues: Self.files.map { ("Products/\(resources)/\($0)", "{}") }))
        let isDebug = configuration.lowercased().contains("debug") || configuration == "Development"
        let expected = (isDebug ? Self.files.sorted() : Self.shipped).map { "\(resources)/\($0)" }
        // The second run finds nothing to remove.
        for _ in 0..<2 {
            let result = try run(variables(folder, configuration, resources), in: folder)
            let exist = ["Derived Sources/without-mocks", "Products/\(resources)/Mocks"].map {
                FileManager.default.fileExists(atPath: folder[$0].path)
            }
            #expect((result.status, result.files, exist) == (0, expected, [true, isDebug]))
        }
    }

    @Test(arguments: ["TARGET_BUILD_DIR", "UNLOCALIZED_RESOURCES_FOLDER_PATH"])
    func `Nothing is removed if Xcode sets no folder`(name: String) throws {
        let folder = try TemporaryFolder(["Products/A.app/Mocks/a.json": "{}"])
        for value in [nil, ""] as [String?] {
            var variables = variables(folder, "Release", "A.app")
            variables[name] = value
            let result = try run(variables, in: folder)
            #expect((result.status != 0, result.files) == (true, ["A.app/Mocks/a.json"]))
        }
    }
}
