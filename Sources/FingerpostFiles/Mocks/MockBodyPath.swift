/// Finds the file that settings name as a body.
struct MockBodyPath {
    let listing: MockListing
    /// The folder of the settings with its slash at the end, empty for one at the top.
    let folder: String

    /// The path below the folder of the mocks.
    ///
    /// - Parameter text: a path from the folder of the settings.
    func file(named text: String) throws(Objection) -> String {
        let file = try path(of: text)
        if MockFileName.isSettings(file) {
            throw Objection("this is a file of settings", fix: "name a file that holds a body")
        }
        if let objection = MockFileName.objection(to: file) { throw Objection(objection, fix: "name a file") }
        if listing.contains(file) { return file }
        if listing[file] != nil { throw Objection("this is a folder", fix: "name a file") }
        let nearest = NearestName.find(file, in: listing.files)
        throw Objection(
            "there is no such file" + (nearest.map { " (did you mean \"\(relative($0))\"?)" } ?? ""),
            fix: "add it, or correct the name")
    }

    private func path(of text: String) throws(Objection) -> String {
        if text.utf8.first == UInt8(ascii: "/") {
            throw Objection("it starts at the root of the disk", fix: "write it from the folder of the settings")
        }
        var parts = Array(folder.parts(between: "/").dropLast())
        for part in text.parts(between: "/") {
            switch part {
            case ".": continue
            case "..":
                guard parts.popLast() != nil else {
                    throw Objection(
                        "it leads outside the folder of the mocks", fix: "copy the file into \(MockFolder.name)")
                }
            default: parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    /// A file as settings would name it.
    private func relative(_ file: String) -> String {
        if file.begins(with: folder) { return String(Substring(file.utf8.dropFirst(folder.utf8.count))) }
        return String(repeating: "../", count: folder.parts(between: "/").count - 1) + file
    }
}
