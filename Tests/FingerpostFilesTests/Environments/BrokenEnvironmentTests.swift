import FingerpostShared

@Suite(.inTurn) struct BrokenEnvironmentTests {
    @Test(arguments: BrokenEnvironment.all)
    func `All problems of a broken environment are reported`(_ broken: WrittenCase) throws {
        let fixture = try EnvironmentFixture(broken.files)
        for (name, target) in broken.links {
            try FileManager.default.createSymbolicLink(atPath: fixture.folder[name].path, withDestinationPath: target)
        }
        let report = fixture.report(try fixture.layers(variables: broken.variables)).components(separatedBy: "\n")
        #expect(report.count == broken.expected.count, "\(report.joined(separator: "\n"))")
        for (line, expected) in zip(report, broken.expected) {
            #expect(expected.hasSuffix("…") ? line.hasPrefix(expected.dropLast()) : line == expected, "\(line)")
        }
        #expect(!report.joined().contains("s3cret"))
    }

    private static let notUTF8 = ": error: the file is not UTF-8. Fix: save the file as UTF-8"
    private static let list = EnvironmentFixture.propertyList("<key>é</key><string>https:</string>")
        .replacing("UTF-8", with: "UTF-16").data(using: .utf16LittleEndian)!

    /// Files that are not UTF-8 or too large, and the reports.
    private static let data: [(String, Data, String)] = [
        ("X-Env.json", "{\"a\": 1}".data(using: .utf16LittleEndian)!, notUTF8),
        ("X-Env.json", Data([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]), notUTF8),
        ("X-Env.plist", Data([0xFF, 0xFE]) + list, notUTF8),
        (
            "X-Env.json", Data("{\n\"a\": \"".utf8 + [0xC3, 0x28] + "\"}".utf8),
            ":2:7: error: a string is not valid UTF-8. Fix: save the file as UTF-8"
        ),
        (
            "X-Env.json", Data(repeating: 0x20, count: 10_000_000),
            ": error: the file has 10000000 bytes; an environment file can have at most 5000000. "
                + "Fix: keep the values that differ between servers, and move the data elsewhere"
        ),
    ]

    @Test(arguments: data.indices) func `A file that is not UTF-8 or too large is reported`(index: Int) throws {
        let (name, data, report) = Self.data[index]
        let fixture = try EnvironmentFixture([:])
        try fixture.folder.write(data, to: name)
        #expect(fixture.report(try fixture.layers()) == name + report)
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
