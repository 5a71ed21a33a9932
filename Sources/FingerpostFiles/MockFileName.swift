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
}
