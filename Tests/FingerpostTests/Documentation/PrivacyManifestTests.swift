import Foundation
import Testing

/// Checks the privacy manifests against the sources that apps link. If an app and its frameworks share the library,
/// Xcode makes a framework of each module, so each module that needs a manifest has one of its own.
@Suite nonisolated struct PrivacyManifestTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")
    private static let modules = [
        "Fingerpost", "FingerpostCatalog", "FingerpostMocks", "FingerpostMockFiles", "FingerpostFiles",
    ]

    /// The functions for which Apple requires a reason, by category.
    private static let functions = [
        "FileTimestamp": [
            "stat", "fstat", "lstat", "fstatat", "getattrlist", "fgetattrlist", "getattrlistat", "getattrlistbulk",
            "attributesOfItem",
        ],
        "UserDefaults": ["UserDefaults"],
        "SystemBootTime": ["systemUptime", "mach_absolute_time"],
        "DiskSpace": [
            "statfs", "fstatfs", "statvfs", "fstatvfs", "systemFreeSize", "systemSize", "attributesOfFileSystem",
            "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
            "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey",
        ],
        "ActiveKeyboards": ["activeInputModes"],
    ]

    /// What the library does with the functions: it reads the type, the size and the dates of files in the app's
    /// container, and of files that the app sends.
    private static let reasons = ["FileTimestamp": ["C617.1", "3B52.1"]]

    /// The words in the code of a module that release builds contain.
    private static func words(of module: String) throws -> Set<Substring> {
        let folder = sources.appendingPathComponent(module)
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(files.count >= 5)
        var words: Set<Substring> = []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            if text.hasPrefix("#if DEBUG\n"), text.hasSuffix("\n#endif\n") { continue }
            for line in text.split(separator: "\n") where !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") {
                words.formUnion(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
            }
        }
        return words
    }

    @Test(arguments: modules) func `Each module declares the functions that it calls`(module: String) throws {
        let words = try Self.words(of: module)
        let used = Self.functions.filter { !words.isDisjoint(with: $0.value.map { $0[...] }) }.keys.sorted()
        let file = Self.sources.appendingPathComponent("\(module)/PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: file.path) else {
            #expect(used.isEmpty, "\(module) has no privacy manifest")
            return
        }
        let manifest = try #require(
            try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil) as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        let declared = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        #expect(
            declared.map { $0["NSPrivacyAccessedAPIType"] as? String }
                == used.map { "NSPrivacyAccessedAPICategory\($0)" })
        #expect(
            declared.map { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] } == used.map { Self.reasons[$0] })
    }
}
