import Foundation
import Testing

/// Checks the privacy manifest against the sources that apps link.
@Suite nonisolated struct PrivacyManifestTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    @Test func `The manifest declares what apps use`() throws {
        let data = try Data(contentsOf: Self.sources.appendingPathComponent("Fingerpost/PrivacyInfo.xcprivacy"))
        let manifest = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        let used = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        #expect(
            used.map { $0["NSPrivacyAccessedAPIType"] as? String } == [
                "NSPrivacyAccessedAPICategoryFileTimestamp", "NSPrivacyAccessedAPICategoryUserDefaults",
            ])
        #expect(
            used.map { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] } == [["C617.1", "3B52.1"], ["CA92.1"]])
    }

    /// The functions of the other categories, and the dates of files, would need reasons of their own.
    @Test(arguments: ["Fingerpost", "FingerpostMocks", "FingerpostMockFiles", "FingerpostFiles"])
    func `Apps read no dates of files`(module: String) throws {
        let names = [
            "modificationDate", "creationDate", "contentModificationDateKey", "systemUptime", "mach_absolute_time",
            "volumeAvailableCapacity", "systemFreeSize", "statfs", "activeInputModes", "UserDefaults",
        ]
        let folder = Self.sources.appendingPathComponent(module)
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(files.count >= 10)
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            // The environment that a tester chose.
            let isChoice = file.hasSuffix("/ChosenName.swift")
            for name in names where !(isChoice && name == "UserDefaults") {
                #expect(!text.contains(name), "\(file) uses \(name)")
            }
        }
    }
}
