import FingerpostFiles
import Foundation
import TestSupport
import Testing

@Suite struct BrokenEnvironmentTests {
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

    /// Random bytes, unchanged and inside property lists.
    @Test(arguments: 1...200) func `Random bytes are read or rejected without a crash`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try EnvironmentFixture([:])
        let original = BrokenEnvironment.all.randomElement(using: &random)
        for (name, text) in original?.files ?? [:] where !name.contains("/") {
            var bytes = Array(text.utf8.prefix(2000))
            for _ in 0..<3 where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert("{}[]\",<>$/".utf8.randomElement(using: &random) ?? 0, at: index)
                }
            }
            try fixture.folder.write(Data(bytes), to: name)
        }
        _ = try fixture.layers(variables: original?.variables ?? [:])
    }
}
