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

    @Test func `Each module declares the functions that it calls`() throws {
        var used: [String: [String]] = [:]
        for module in try PackageManifest().appModules() {
            let words = try Self.words(of: module)
            let categories = Self.functions.filter { !words.isDisjoint(with: $0.value.map { $0[...] }) }.keys
            if !categories.isEmpty { used[module] = categories.sorted() }
        }
        let file = PackageManifest.folder(of: Self.caller).appendingPathComponent("PrivacyInfo.xcprivacy")
        let manifest = try #require(
            try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil) as? [String: Any])
        let declared = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]]).map { functions in
            let category = functions["NSPrivacyAccessedAPIType"] as? String ?? ""
            return (category, functions["NSPrivacyAccessedAPITypeReasons"] as? [String] ?? [])
        }
        let reasons = Self.reasons.map { ("NSPrivacyAccessedAPICategory\($0.key)", $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: declared) == Dictionary(uniqueKeysWithValues: reasons))
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        // A module without a privacy manifest leaves such calls to the one that has it.
        #expect(used == [Self.caller: Self.reasons.keys.sorted()])
    }
}
