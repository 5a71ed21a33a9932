import Foundation

/// `fingerpost-cli verify` on an app of 200 MB, whose bytes are searched for the values of ten secrets.
enum VerifiedBuild {
    static let name = "verify 200 MB"
    /// The longest accepted time, in seconds.
    static let target = 1.0

    /// The shortest of three runs, in seconds, each in a process of its own.
    static func measure() throws -> Double {
        let app = FileManager.default.temporaryDirectory
            .appendingPathComponent("Fingerpost-\(ProcessInfo.processInfo.processIdentifier)/Acme.app")
        defer { try? FileManager.default.removeItem(at: app) }
        try make(app)
        var variables = ProcessInfo.processInfo.environment
        for key in 0..<10 { variables["ENV__TOKEN\(key)"] = "s3cr3t-\(key)-0123456789abcdef0123456789abcdef" }
        var shortest = Double.infinity
        for _ in 0..<3 {
            let begin = DispatchTime.now().uptimeNanoseconds
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("fingerpost-cli")
            process.arguments = ["verify", app.path, "--environment", "Production"]
            process.environment = variables
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
            shortest = min(shortest, Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9)
        }
        return shortest
    }

    /// Writes the app: ten files of 20 MB, an Info.plist and an environment with ten secrets.
    private static func make(_ app: URL) throws {
        let environments = app.appendingPathComponent("Environments")
        try FileManager.default.createDirectory(at: environments, withIntermediateDirectories: true)
        let keys = (0..<10).map { "token\($0)" }
        var values: [String: Any] = ["$secrets": keys, "$optional": keys, "baseURL": "https://api.acme.app"]
        for key in keys { values[key] = NSNull() }
        try JSONSerialization.data(withJSONObject: values)
            .write(to: environments.appendingPathComponent("Production-Env.json"))
        let info = ["CFBundleExecutable": "Acme", "APIEnvironment": "Production"]
        try PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0)
            .write(to: app.appendingPathComponent("Info.plist"))
        var state: UInt64 = 1
        for file in 0..<10 {
            // The words are those of no text, as in the code of a program.
            let words = (0..<2_500_000).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state
            }
            let data = words.withUnsafeBytes { Data($0) }
            try data.write(to: app.appendingPathComponent(file == 0 ? "Acme" : "assets\(file).bin"))
        }
    }
}
