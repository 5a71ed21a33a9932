/// The rules for the names by which routes name their mocks, and for the names of the files that answer.
///
/// All of it goes by bytes: a character of `String` can hold a dot or a slash together with what stands beside it.
package enum MockFileName {
    /// What the names of settings end in.
    static let settingsSuffix = ".mock.json"
    static let bodySuffix = ".json"

    /// Why a name cannot be one, nil when it can.
    ///
    /// A name is a path below the mocks folder: it has no `..`, does not start at the root and holds no NUL, so that it
    /// can never lead outside.
    package static func objection(to name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.utf8.contains(0) { return "it holds a NUL character" }
        if name.utf8.first == UInt8(ascii: "/") { return "it starts with / and so leads outside the folder" }
        if name.utf8.contains(UInt8(ascii: "\\")) { return "it holds a backslash; folders are separated by /" }
        for part in name.parts(between: "/") {
            switch part {
            case "": return "it has an empty part between two /"
            case ".", "..": return "it holds \(part), which could lead outside the folder"
            default: continue
            }
        }
        if name.ends(with: ".mock") || name.ends(with: settingsSuffix) {
            return "it ends in .mock, which is kept for files of settings"
        }
        return nil
    }

    /// The name that routes use for a file: without `.json`, and with any other extension.
    package static func mockName(of file: String) -> String {
        file.ends(with: bodySuffix) ? file.withoutEnd(bodySuffix) : file
    }

    /// True for files that the system or a tool made, such as `.DS_Store`, and for all that is in a hidden folder.
    package static func isHidden(_ file: String) -> Bool {
        var startsName = true
        for byte in file.utf8 {
            if startsName, byte == UInt8(ascii: ".") { return true }
            startsName = byte == UInt8(ascii: "/")
        }
        return false
    }

    static func isSettings(_ file: String) -> Bool { file.ends(with: settingsSuffix) }

    /// The folder of a file with its slash at the end, empty for one at the top.
    static func folder(of file: String) -> String {
        guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(file[...slash])
    }

    /// A status in the name of a file: three digits from 100 to 599.
    static func status(_ part: some StringProtocol) -> Int? {
        guard part.utf8.count == 3, part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let status = Int(part), (100...599).contains(status)
        else { return nil }
        return status
    }

    /// The name before its last dot, with the dot, and the extension behind it; nil where there is none, or where it is `json` or a
    /// status, which are no part of a mock's name.
    package static func extensionParts(of name: String) -> (stem: String, extension: String)? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let stem = String(name[...dot])
        let ending = String(name[name.utf8.index(after: dot)...])
        guard !ending.isEmpty, !ending.utf8.contains(UInt8(ascii: "/")), ending != "json", status(ending) == nil,
            stem.utf8.count > folder(of: name).utf8.count + 1
        else { return nil }
        return (stem, ending)
    }
}
