import FingerpostDocuments

@Suite(.inTurn) struct EnvironmentFolderTests {
    /// The environments of a copy in a bundle, and the secrets files that it takes out of these files.
    private func copied(_ files: [String]) throws -> (targets: [String], secrets: [String]) {
        var contents = Dictionary(uniqueKeysWithValues: files.map { ($0, "{}") })
        contents["bundled/A-Env.json"] = "{}"
        let folder = try TemporaryFolder(contents)
        let copy = try EnvironmentFolder(
            url: folder["bundled"], secrets: ["source", "bundled", "work"].map { folder[$0] })
        let files = copy.files.map { folder.relative($0.url.path) }
        return (copy.targets, files.filter { $0 != "bundled/A-Env.json" })
    }

    @Test func `Secrets files are taken from the first folder that contains any`() throws {
        let files: [([String], [String])] = [
            ([], []),
            (["work/A-Env.json", "work/A-Secrets.json"], ["work/A-Secrets.json"]),
            (["source/A-Secrets.json"], ["source/A-Secrets.json"]),
            (["source/A-Secrets.json", "work/A-Secrets.json"], ["source/A-Secrets.json"]),
            // All secrets files come from one folder.
            (["source/Base-Secrets.plist", "work/A-Secrets.json"], ["source/Base-Secrets.plist"]),
            (
                ["source/B-Env.json", "source/B-Secrets.json", "source/A-Secrets.json"],
                ["source/A-Secrets.json", "source/B-Secrets.json"]
            ),
            (["source/A-Env.json", "work/A-Secrets.json"], ["work/A-Secrets.json"]),
            (["bundled/A-Secrets.json", "source/A-Secrets.json"], ["source/A-Secrets.json"]),
            (["bundled/A-Secrets.json", "work/A-Secrets.json"], ["bundled/A-Secrets.json"]),
        ]
        for (files, secrets) in files { #expect(try copied(files) == (["A"], secrets), "\(files)") }
    }

    // MARK: Messages

    /// The problems of the environment A, whose secret is declared in a copy.
    private func problems(
        _ folder: TemporaryFolder, _ files: [String: String] = [:], secrets: [String]? = ["source", "bundled", "work"]
    ) throws -> [String] {
        try folder.write(Data(#"{"$secrets": ["k"], "k": null}"#.utf8), to: "bundled/A-Env.json")
        for (name, text) in files { try folder.write(Data(text.utf8), to: name) }
        let copy = try EnvironmentFolder(url: folder["bundled"], secrets: secrets?.map { folder[$0] })
        let layers = copy.load("A", parser: strictParser)
        return layers.problems.map { folder.relative($0.description) }
    }

    @Test func `The message about a missing secret names every folder that was searched`() throws {
        let searched: [([String], String, String?)] = [
            ([], "source (no such folder), bundled, work (no such folder)", nil),
            (["work/notes.txt"], "source (no such folder), bundled, work", "work/A-Secrets.json"),
            (["work/notes.txt", "source/notes.txt"], "source, bundled, work", "source/A-Secrets.json"),
            (["work/B-Secrets.json", "source/notes.txt"], "source, bundled, work", "work/A-Secrets.json"),
            (["work/A-Secrets.plist", "source/notes.txt"], "source, bundled, work", "work/A-Secrets.plist"),
            (["bundled/A-Secrets.json", "work/notes.txt"], "source (no such folder), bundled", nil),
            (["work/A-Secrets.json", "source/notes.txt"], "source, bundled, work", "work/A-Secrets.json"),
            (["source/A-Secrets.json"], "source", "source/A-Secrets.json"),
            (["source"], "source (no such folder), bundled, work (no such folder)", nil),
        ]
        for (files, places, file) in searched {
            let contents = files.map { ($0, $0.hasSuffix(".plist") ? EnvironmentFixture.propertyList("") : "{}") }
            let found = try problems(try TemporaryFolder(), Dictionary(uniqueKeysWithValues: contents))
            #expect(found == [Self.message(places, file)], "\(files)")
        }
    }

    /// What says that the secret has no value.
    private static func message(_ places: String, _ file: String?) -> String {
        let variable = "set the environment variable ENV__K (in Xcode: in the scheme)"
        let device = "; for an installed app, list it in \"$provided\" and call APIEnvironment.bootstrap(secrets:)"
        let fix = file.map { "add it to \($0), or \(variable)" } ?? variable + device
        return "bundled/A-Env.json:1:21: error: the secret \"k\" has no value; looked in \(places) for A-Secrets, "
            + "Base-Secrets. Fix: \(fix)"
    }

    @Test func `A folder that is not a copy is the place for its secrets, and no folder is named twice`() throws {
        let folder = try TemporaryFolder()
        let alone = try problems(folder, secrets: nil)
        let twice = try problems(folder, ["source/notes.txt": ""], secrets: ["source", "work/../source", "bundled"])
        #expect(
            alone + twice == [
                Self.message("bundled", "bundled/A-Secrets.json"),
                Self.message("source, bundled", "source/A-Secrets.json"),
            ])
    }

    @Test func `Links are followed, and files that cannot be read are errors`() throws {
        let folder = try TemporaryFolder(["vault/key.json": #"{"k": "s3cret"}"#, "elsewhere/notes.txt": ""])
        func link(_ name: String, to target: String) throws {
            try? FileManager.default.removeItem(at: folder[name])
            try FileManager.default.createSymbolicLink(atPath: folder[name].path, withDestinationPath: target)
        }
        try link("source", to: "elsewhere")
        try link("elsewhere/A-Secrets.json", to: "../vault/key.json")
        var found = try [problems(folder)]
        try link("elsewhere/A-Secrets.json", to: "missing.json")
        found.append(try problems(folder))
        try FileManager.default.removeItem(at: folder["elsewhere/A-Secrets.json"])
        try #require(mkfifo(folder["elsewhere/A-Secrets.json"].path, 0o600) == 0)
        found.append(try problems(folder))
        try link("source", to: "missing")
        found.append(try problems(folder))
        let file = "source/A-Secrets.json: error:"
        #expect(
            found == [
                [], ["\(file) this is a link to a file that does not exist. Fix: correct or remove it"],
                ["\(file) this is not a regular file. Fix: replace it with the file"],
                [Self.message("source (cannot be read), bundled, work (no such folder)", nil)],
            ])
    }

    @Test func `Two secrets files of an environment are an error that names their folder`() throws {
        let found = try problems(try TemporaryFolder(), ["source/A-Secrets.json": "{}", "source/A-Secrets.plist": ""])
        #expect(
            found == [
                "source: error: the environment \"A\" has two files: A-Secrets.json and A-Secrets.plist. "
                    + "Fix: keep one of them"
            ])
    }
}
