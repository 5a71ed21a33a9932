import TestSupport

/// Checks the privacy manifest against the sources that apps link. If an app and its frameworks share the library,
/// Xcode makes a framework of each module, so each module that calls such functions would need a manifest of its own.
/// One module calls them.
@Suite(.inTurn) struct PrivacyManifestTests {
    private static let caller = "FingerpostFiles"

    /// The functions for which Apple requires a reason, by category.
    private static let functions = [
        "FileTimestamp": [
            "stat", "fstat", "lstat", "fstatat", "getattrlist", "fgetattrlist", "getattrlistat", "getattrlistbulk",
            "attributesOfItem", "creationDate", "modificationDate", "fileModificationDate", "creationDateKey",
            "contentModificationDateKey",
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
        var words: Set<Substring> = []
        for file in PackageManifest.files(of: module) {
            let text = try String(contentsOf: file, encoding: .utf8)
            if text.hasPrefix("#if DEBUG\n"), text.hasSuffix("\n#endif\n") { continue }
            for line in text.split(separator: "\n") where !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") {
                // A file of Linux, such as `/proc/1/stat`, is no function.
                let line = line.replacing(/"\/proc\/[^"]*"/, with: "")
                words.formUnion(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
            }
        }
        return words
    }

    @Test(arguments: try PackageManifest().appModules())
    func `Each module declares the functions that it calls`(module: String) throws {
        let words = try Self.words(of: module)
        let used = Self.functions.filter { !words.isDisjoint(with: $0.value.map { $0[...] }) }.keys.sorted()
        guard module == Self.caller else {
            #expect(used.isEmpty, "\(module) has no privacy manifest: call these functions in \(Self.caller)")
            return
        }
        let file = PackageManifest.folder(of: module).appendingPathComponent("PrivacyInfo.xcprivacy")
        let manifest = try #require(
            try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil) as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        let declared = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        #expect(
            declared.map { $0["NSPrivacyAccessedAPIType"] as? String }
                == used.map { "NSPrivacyAccessedAPICategory\($0)" })
        #expect(declared.map { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] } == used.map { Self.reasons[$0] })
    }
}
