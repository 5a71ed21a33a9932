/// The rules for the names by which routes name their mocks.
package enum MockFileName {
    /// Why a name cannot be one, nil when it can.
    ///
    /// A name is a path below the mocks folder: it has no `..`, does not start at the root and holds no NUL, so that it
    /// can never lead outside.
    package static func objection(to name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.utf8.contains(0) { return "it holds a NUL character" }
        if name.hasPrefix("/") { return "it starts with / and so leads outside the folder" }
        if name.contains("\\") { return "it holds a backslash; folders are separated by /" }
        for part in name.split(separator: "/", omittingEmptySubsequences: false) {
            switch part {
            case "": return "it has an empty part between two /"
            case ".", "..": return "it holds \(part), which could lead outside the folder"
            default: continue
            }
        }
        return nil
    }

    /// The name that routes use for a file: without `.json`, and with any other extension.
    static func mockName(of file: String) -> String {
        file.hasSuffix(".json") ? String(file.dropLast(".json".count)) : file
    }

    /// True for files that the system or a tool made, such as `.DS_Store`.
    static func isHidden(_ file: String) -> Bool {
        file.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    /// The files that are bodies of their own: neither hidden, nor settings (`job.mock.json`), nor another status of one
    /// (`login.401.json`).
    static func bodies(in files: [String]) -> [String] {
        files.filter { file in
            guard !isHidden(file), !file.hasSuffix(".mock.json") else { return false }
            let parts = mockName(of: file).split(separator: ".")
            guard parts.count > 1, let status = parts.last, status.count == 3, let number = Int(status) else {
                return true
            }
            return !(100...599).contains(number)
        }
    }
}
