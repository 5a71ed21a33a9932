import FingerpostShared

@Suite(.inTurn) struct BrokenEnvironmentTests {
    @Test(arguments: BrokenEnvironment.all)
    func `All problems of a broken environment are reported`(_ broken: WrittenCase) throws {
        let fixture = try EnvironmentFixture(broken.files)
        for (name, target) in broken.links {
            try FileManager.default.createSymbolicLink(atPath: fixture.folder[name].path, withDestinationPath: target)
        }
        let report = fixture.report(try fixture.layers(variables: broken.variables))
        // Of a line whose end depends on the system, the beginning is compared.
        let beginnings = broken.expected.filter { $0.hasSuffix("…") }
        let lines = report.components(separatedBy: "\n").map { line in
            beginnings.first { line.hasPrefix($0.dropLast()) } ?? line
        }
        #expect((lines, report.contains("s3cret")) == (broken.expected, false))
    }

    private static let notUTF8 = ": error: the file is not UTF-8. Fix: save the file as UTF-8"
    private static let list = EnvironmentFixture.propertyList("<key>é</key><string>https:</string>")
        .replacing("UTF-8", with: "UTF-16").data(using: .utf16LittleEndian)!

    @Test func `A file that is not UTF-8 or too large is reported`() throws {
        let files = [
            ("X-Env.json", "{\"a\": 1}".data(using: .utf16LittleEndian)!, Self.notUTF8),
            ("X-Env.json", Data([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]), Self.notUTF8),
            ("X-Env.plist", Data([0xFF, 0xFE]) + Self.list, Self.notUTF8),
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
        for (name, data, report) in files {
            let fixture = try EnvironmentFixture([:])
            try fixture.folder.write(data, to: name)
            #expect(fixture.report(try fixture.layers()) == name + report)
        }
    }

    /// Secrets files that cannot be read, and the reports.
    private static let secretsFiles = [
        (#"json = {"s3cret" "a"}"#, "json:1:11: error: unexpected character after a key, where : is expected"),
        (#"json = {"k": 90_717}"#, "json:1:9: error: unexpected character where , or } is expected"),
        (#"json = {"k": 90,717}"#, "json:1:10: error: unexpected character where a key in double quotes is expected"),
        (#"json = {"k": "a\s3cret"}"#, "json:1:10: error: unknown escape in a string"),
        (#"json = {"k": s3cret}"#, "json:1:7: error: unexpected character where a value is expected"),
        ("json = {} s3cret", "json:1:4: error: unexpected character after the end of the JSON value"),
        (#"json = {"k":"#, "json:1:6: error: the file ends where a value is expected"),
        ("plist = <plist><dict><key>k</key><s3cret/></dict></plist>", "plist:1: error: not a property list"),
        ("plist = <plist><dict>\n<key>k</key><string>s3cret</s></dict>", "plist:2: error: not a property list"),
        (
            "plist = s3cret",
            "plist: error: the file is neither an XML nor a binary property list. Fix: save it as an XML property list, "
                + "or rename it to .json if it contains JSON"
        ),
    ]

    @Test func `A broken secrets file is reported without its text`() throws {
        for (file, report) in Self.secretsFiles {
            let parts = file.components(separatedBy: " = ")
            let fixture = try EnvironmentFixture([
                "X-Env.json": "{\"$secrets\": [\"k\"], \"k\": null}", "X-Secrets.\(parts[0])": parts[1],
            ])
            #expect(fixture.report(try fixture.layers()) == "X-Secrets." + report)
        }
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
