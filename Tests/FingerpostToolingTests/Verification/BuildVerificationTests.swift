import FingerpostFiles
import TestSupport

@testable import FingerpostTooling

@Suite(.inTurn) struct BuildVerificationTests {
    @Test(arguments: VerifiedBuild.wrong + VerifiedBuild.good)
    func `A wrong build is stopped where it is wrong, and a good one is not`(build: VerifiedBuild) throws {
        var fixture = try BuiltFixture(build.files)
        for (link, target) in build.links {
            try FileManager.default.createSymbolicLink(
                atPath: fixture.folder[link].path, withDestinationPath: target)
        }
        (fixture.options, fixture.variables) = (build.options, build.variables)
        let report = try fixture.report(build.path)
        let findings = report.verification.findings
        let found = findings.map { finding in
            let path = fixture.folder.relative(finding.path ?? "")
            return "\(path) \(finding.kind?.rawValue ?? "") \(finding.isError ? "error" : "warning")"
        }
        let isWrong = build.findings.contains { $0.hasSuffix("error") }
        #expect((found.sorted(), report.status > 0) == (build.findings.sorted(), isWrong), "\(report.text)")
        // The readers of files do not always know a fix.
        #expect(findings.filter { $0.kind != .environment && $0.fix == nil }.map(\.description) == [])
        let names = Set(report.verification.parts.map(\.environment))
        let isHidden = [VerifiedBuild.secret, VerifiedBuild.token].allSatisfy {
            !(report.text + report.json).contains($0)
        }
        #expect((isHidden, names) == (true, build.selected.map { [$0] } ?? names), "\(report.text)")
    }

    @Test(arguments: ["Acme.ipa", "notes.txt", "nothing", "empty", "Cut.xcarchive"])
    func `What is not a build has an error with a fix`(path: String) throws {
        let fixture = try BuiltFixture([
            "Acme.ipa": "PK", "notes.txt": "", "empty/a.txt": "", "Cut.xcarchive/Info.plist": "",
        ])
        let problem = #expect(throws: FileProblem.self) { try fixture.report(path) }
        let found = (problem?.path.map(fixture.folder.relative), problem?.fix?.hasPrefix("pass the path of an .app, "))
        #expect(found == (path, true))
    }

    @Test func `What cannot be read is reported, and the exit code is 2`() throws {
        let fixture = try BuiltFixture(BuiltFixture.app(["Info.plist": nil, "Info.plist/a": ""]))
        let seen = try (fixture.report().status, fixture.problems().first)
        #expect(seen == (2, "Acme.app/Info.plist: error: this is a folder, not a file. Fix: replace it with the file"))
    }

    @Test func `A bundle whose files are cut never ends the process`() throws {
        for cut in 0..<20 {
            let fixture = try BuiltFixture(
                BuiltFixture.app().mapValues { String($0.prefix($0.count * cut / 20)) })
            // The error is not of interest.
            _ = try? fixture.report()
        }
    }

    @Test func `A watch app does not use the frameworks of the app around it`() throws {
        let fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Production-Env.json": nil, "Environments/Staging-Env.json": nil,
                "Frameworks/Model.framework/Info.plist": BuiltFixture.info("Model", nil),
                "Frameworks/Model.framework/Environments/Production-Env.json": BuiltFixture.production,
                "PlugIns/Widget.appex/Info.plist": BuiltFixture.info("Widget"),
                "Watch/Watch.app/Info.plist": BuiltFixture.info("Watch"),
            ]))
        let parts = try fixture.report().verification.parts.map { fixture.folder.relative($0.path) }
        let seen = try (fixture.problems(), parts)
        #expect(seen == ([], ["Acme.app", "Acme.app/PlugIns/Widget.appex"]))
    }

    @Test func `Binary property lists of a build are equal to their source in another format`() throws {
        var fixture = try BuiltFixture(
            BuiltFixture.app(["Environments/Production-Env.json": nil, "Environments/Staging-Env.json": nil])
                .merging(["Project/Environments/Production-Env.json": BuiltFixture.production]) { $1 })
        let files = [
            "Environments/Production-Env.plist": ["description": "Production", "baseURL": "https://api.acme.app"],
            "Info.plist": ["CFBundleExecutable": "Acme", "APIEnvironment": "Production"],
        ]
        for (path, object) in files {
            let data = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
            try fixture.folder.write(data, to: "Acme.app/\(path)")
        }
        fixture.options.source = "Project"
        let environments = try fixture.report().verification.parts.map(\.environment)
        let seen = try (fixture.problems(), environments)
        #expect(seen == ([], ["Production"]))
    }
}
