import FingerpostFiles
import FingerpostShared
import TestSupport

@Suite(.inTurn) struct BrokenEnvironmentTests {
    @Test(arguments: BrokenEnvironment.all)
    func `All problems of a broken environment are reported`(_ broken: BrokenEnvironment) throws {
        let fixture = try EnvironmentFixture(broken.files)
        for (name, data) in broken.data { try fixture.folder.write(data, to: name) }
        for (name, target) in broken.links {
            try FileManager.default.createSymbolicLink(atPath: fixture.folder[name].path, withDestinationPath: target)
        }
        let layers = try fixture.layers(variables: broken.variables)
        let report = fixture.report(layers).components(separatedBy: "\n")
        let expected = broken.report.components(separatedBy: "\n")
        #expect(report.count == expected.count, "\(report.joined(separator: "\n"))")
        for (line, expected) in zip(report, expected) {
            if expected.hasSuffix("…") {
                #expect(line.hasPrefix(expected.dropLast()))
            } else {
                #expect(line == expected)
            }
        }
        #expect(!report.joined().contains("s3cret"))
    }

    /// Secrets files that cannot be read, and the reports.
    private static let secretsFiles: [(name: String, text: String, report: String)] = [
        (
            "X-Secrets.json", "{\"s3cret\" \"a\"}",
            "1:11: error: unexpected character after a key, where : is expected"
        ),
        ("X-Secrets.json", "{\"k\": 90_717}", "1:9: error: unexpected character where , or } is expected"),
        (
            "X-Secrets.json", "{\"k\": 90,717}",
            "1:10: error: unexpected character where a key in double quotes is expected"
        ),
        ("X-Secrets.json", "{\"k\": \"a\\s3cret\"}", "1:10: error: unknown escape in a string"),
        ("X-Secrets.json", "{\"k\": s3cret}", "1:7: error: unexpected character where a value is expected"),
        ("X-Secrets.json", "{} s3cret", "1:4: error: unexpected character after the end of the JSON value"),
        ("X-Secrets.json", "{\"k\":", "1:6: error: the file ends where a value is expected"),
        ("X-Secrets.plist", "<plist><dict><key>k</key><s3cret/></dict></plist>", "1: error: not a property list"),
        ("X-Secrets.plist", "<plist><dict>\n<key>k</key><string>s3cret</s></dict>", "2: error: not a property list"),
        (
            "X-Secrets.plist", "s3cret",
            "error: the file is neither an XML nor a binary property list. Fix: save it as an XML property list, or "
                + "rename it to .json if it contains JSON"
        ),
    ]

    @Test(arguments: secretsFiles.indices)
    func `A broken secrets file is reported without its text`(index: Int) throws {
        let (name, text, report) = Self.secretsFiles[index]
        let fixture = try EnvironmentFixture(["X-Env.json": "{\"$secrets\": [\"k\"], \"k\": null}", name: text])
        let found = fixture.report(try fixture.layers())
        #expect(found == "\(name):" + (report.first == "e" ? " " : "") + report)
    }

    /// Disabled for the superuser, who can read any file.
    @Test(.enabled(if: geteuid() != 0)) func `A file without read permission is reported`() throws {
        let fixture = try EnvironmentFixture(["X-Env.json": "{}"])
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: fixture.folder["X-Env.json"].path)
        let report = fixture.report(try fixture.layers())
        #expect(report.hasPrefix("X-Env.json: error: the file cannot be read"))
    }

    #if os(Linux)
        /// A regular file that fails when it is read from the start.
        @Test func `A file that cannot be read is reported`() throws {
            let fixture = try EnvironmentFixture([:])
            try FileManager.default.createSymbolicLink(
                atPath: fixture.folder["X-Env.json"].path, withDestinationPath: "/proc/self/mem")
            #expect(fixture.report(try fixture.layers()).hasPrefix("X-Env.json: error: the file cannot be read"))
        }
    #endif
}
