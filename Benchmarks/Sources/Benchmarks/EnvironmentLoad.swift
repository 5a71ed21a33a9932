import Fingerpost
import Foundation

extension Benchmark {
    /// Loads a checked environment from four layers of 200 keys, compared with reading and parsing the same four files
    /// with Foundation only.
    static func environmentLoad() throws -> Benchmark {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Fingerpost-\(ProcessInfo.processInfo.processIdentifier)/Environments")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

        // Null declares a secret. Property lists have no null, so the lowest layer is JSON; it has twice the keys.
        var base = EnvironmentLayer.values(revision: 0)
        base["$secrets"] = EnvironmentLayer.secrets.keys.sorted().map { "keys.\($0)" }
        base["keys"] = EnvironmentLayer.secrets.mapValues { _ in NSNull() }
        var staging = EnvironmentLayer.values(revision: 1)
        staging["description"] = "Staging"
        var target = EnvironmentLayer.values(revision: 2)
        target["$extends"] = "Staging"
        let json = [
            folder.appendingPathComponent("Base-Env.json"): base,
            folder.appendingPathComponent("QA-Secrets.json"): ["keys": EnvironmentLayer.secrets],
        ]
        let plists = [
            folder.appendingPathComponent("Staging-Env.plist"): staging,
            folder.appendingPathComponent("QA-Env.plist"): target,
        ]
        for (file, values) in json {
            try JSONSerialization.data(withJSONObject: values, options: [.prettyPrinted, .sortedKeys]).write(to: file)
        }
        for (file, values) in plists {
            try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0).write(to: file)
        }
        let (jsonFiles, plistFiles) = (Array(json.keys), Array(plists.keys))

        return .sync("environment-load", target: 1.55) {
            for file in jsonFiles { blackHole(try JSONSerialization.jsonObject(with: Data(contentsOf: file))) }
            for file in plistFiles {
                blackHole(try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil))
            }
        } ours: {
            try Environment.load("QA", from: folder)
        }
    }
}

/// The values of the layers: text, URLs, numbers, booleans and lists, four in five of them nested.
private enum EnvironmentLayer {
    static func values(revision: Int) -> [String: Any] {
        var values: [String: Any] = [:]
        for group in 0..<20 {
            values["service\(group)"] = [
                "host": "https://service\(group).example.com/v\(revision)",
                "title": "Service number \(group) in revision \(revision)",
                "region": "eu-west-\(revision)",
                "retries": revision + 1,
                "isEnabled": revision > 0,
                "sampleRate": 0.25 + Double(revision),
                "tags": ["tag\(group)", "revision\(revision)"],
                "path": "/services/\(group)",
            ]
            values["label\(group)"] = "Label \(group)"
            values["limit\(group)"] = group * 100 + revision
        }
        return values
    }

    static let secrets = Dictionary(
        uniqueKeysWithValues: (0..<200).map { ("token\($0)", "s3cr3t-\($0)-0123456789abcdef") })
}
