import FingerpostFiles
import FingerpostTooling
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct BadBuildTests {
    /// Builds that are not whole, with the start of the problem and the exit code.
    static let broken: [(files: [String: String], problem: String, status: Int32)] = [
        (
            BuiltFixture.app(["Info.plist": nil]),
            "Acme.app: error: there is no Info.plist, so this is not a whole bundle. Fix: build it again", 1
        ),
        (
            BuiltFixture.app(["Info.plist": ""]),
            "Acme.app/Info.plist: error: the file is empty. Fix: write a property list", 2
        ),
        (
            BuiltFixture.app(["Info.plist": "bplist00\u{1}"]),
            "Acme.app/Info.plist: error: not a binary property list: it is too short", 2
        ),
        (
            BuiltFixture.app(["Info.plist": "<?xml version=\"1.0\"?><plist><dict><key>CFBundle"]),
            "Acme.app/Info.plist: error: not a property list: ", 2
        ),
        (
            BuiltFixture.app(["Info.plist": EnvironmentFixture.propertyList("")]),
            "Acme.app/Info.plist: error: the Info.plist has no keys, so this is not a whole bundle", 1
        ),
        (
            BuiltFixture.app(["Info.plist": BuiltFixture.info("Acme", nil, "<key>APIEnvironment</key><true/>")]),
            "Acme.app/Info.plist:4:", 1
        ),
        (
            BuiltFixture.app(["Environments/Production-Env.json": "{ \"baseURL\": "]),
            "Acme.app/Environments/Production-Env.json:1", 1
        ),
        (
            BuiltFixture.app(["Environments/Production-Env.plist": EnvironmentFixture.propertyList("")]),
            "Acme.app/Environments: error: the environment \"Production\" has two files", 1
        ),
    ]

    @Test(arguments: broken.indices) func `A build that is not whole is reported`(index: Int) throws {
        let (files, problem, status) = Self.broken[index]
        let fixture = try BuiltFixture(files)
        let problems = try fixture.problems()
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
        #expect(try fixture.report().status == status)
    }

    @Test(arguments: [
        ("Acme.ipa", "run `unzip -q \"Acme.ipa\" -d unpacked`, and verify unpacked/Payload"),
        ("Acme.zip", "unpack it, and verify the app in it"),
        ("notes.txt", "pass the path of an .app, .appex, .framework, .xcarchive or executable, or of a folder of them"),
        ("nothing", "pass the path of an .app, .appex, .framework, .xcarchive or executable, or of a folder of them"),
        ("empty", "pass the path of an .app, .appex, .framework, .xcarchive or executable, or of a folder of them"),
        ("Cut.xcarchive", "archive again, or copy all of it"),
    ])
    func `What is not a build has an error with a fix`(path: String, fix: String) throws {
        let fixture = try BuiltFixture([
            "Acme.ipa": "PK", "Acme.zip": "PK", "notes.txt": "", "empty/a.txt": "", "Cut.xcarchive/Info.plist": "",
        ])
        let problem = #expect(throws: FileProblem.self) { try fixture.report(path) }
        #expect(problem?.fix.map(fixture.folder.relative) == fix)
        #expect(problem?.path.map(fixture.folder.relative) == path)
    }

    @Test func `Links that leave the build, or lead nowhere, are errors`() throws {
        let fixture = try BuiltFixture(
            BuiltFixture.app(["Versions/A/a.txt": ""]).merging(["secret.txt": "k3y-0123456789"]) { $1 })
        let app = fixture.folder["Acme.app"].path
        for (link, target) in [
            ("Versions/Current", "A"), ("out", "../secret.txt"), ("gone", "missing"), ("self", "self"), ("top", "."),
        ] {
            try FileManager.default.createSymbolicLink(atPath: "\(app)/\(link)", withDestinationPath: target)
        }
        let problems = try fixture.problems()
        #expect(problems.map { $0.prefix { $0 != ":" } } == ["Acme.app/gone", "Acme.app/out", "Acme.app/self"])
        #expect(problems[1].contains(": error: this link leads out of the bundle, to "))
        #expect(problems[0].contains(" which does not exist. Fix: copy the whole bundle again, or remove the link"))
    }

    @Test func `A link to environments outside the build is an error`() throws {
        let fixture = try BuiltFixture(
            BuiltFixture.app(["Environments/Production-Env.json": nil, "Environments/Staging-Env.json": nil])
                .merging(["Environments/Production-Env.json": BuiltFixture.production]) { $1 })
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder["Acme.app/Environments"].path, withDestinationPath: "../Environments")
        #expect(try fixture.problems().contains { $0.hasPrefix("Acme.app/Environments: error: this link leads out") })
    }

    @Test func `What cannot be read is reported, and the exit code is 2`() throws {
        let fixture = try BuiltFixture(BuiltFixture.app())
        // Nobody can read a file whose name is a link to itself, not even root.
        try FileManager.default.removeItem(at: fixture.folder["Acme.app/Info.plist"])
        try FileManager.default.createDirectory(
            at: fixture.folder["Acme.app/Info.plist"], withIntermediateDirectories: true)
        let report = try fixture.report()
        #expect(report.status == 2)
        #expect(
            try fixture.problems().first
                == "Acme.app/Info.plist: error: this is a folder, not a file. Fix: replace it with the file")
    }

    @Test(.heavy) func `20,000 files are read`() throws {
        let fixture = try BuiltFixture(BuiltFixture.app())
        for group in 0..<20 {
            let folder = fixture.folder["Acme.app/Assets/\(group)"]
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for number in 0..<1000 { try Data().write(to: folder.appendingPathComponent("\(number).txt")) }
        }
        let text = try fixture.text()
        #expect(text.last == "No problems in Acme.app (20004 files, 0.0 MB)")
    }

    @Test(arguments: 0..<40) func `A bundle that is cut at any byte never ends the process`(cut: Int) throws {
        let whole = BuiltFixture.app()
        let cutFiles = whole.mapValues { String($0.prefix($0.count * cut / 40)) }
        let fixture = try BuiltFixture(cutFiles)
        _ = try? fixture.report()
    }
}
