import FingerpostFiles
import Foundation

extension MockListing {
    /// Lists all entries below a folder, except hidden entries, in no particular order. Links are listed but not
    /// followed.
    ///
    /// The entries are read with `readdir`, because Foundation's enumerator takes thirty times as long on Linux, and
    /// Foundation's other listing functions do not distinguish files from folders.
    static func entries(below root: URL) throws(FileProblem) -> [Entry] {
        var entries: [Entry] = []
        guard list(root.path, below: "", &entries) else {
            let isThere = FileManager.default.fileExists(atPath: root.path)
            throw FileProblem(
                path: FilePath.display(root),
                message: isThere ? "the mocks folder cannot be read" : "the mocks folder does not exist")
        }
        var next = 0
        while next < entries.count {
            let entry = entries[next]
            if entry.kind == .folder, !list("\(root.path)/\(entry.path)", below: entry.path + "/", &entries) {
                entries[next] = Entry(path: entry.path, kind: .closedFolder)
            }
            next += 1
        }
        return entries
    }

    /// Appends the contents of one folder to `entries`.
    ///
    /// - Returns: false when the folder cannot be read.
    private static func list(_ folder: String, below prefix: String, _ entries: inout [Entry]) -> Bool {
        guard let stream = opendir(folder), let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else {
            return false
        }
        defer { closedir(stream) }
        while let found = readdir(stream) {
            // The record that `readdir` returns is only as long as the entry's name requires, so copying a whole
            // `dirent` would read past the end of the record.
            let name = UnsafeRawPointer(found).advanced(by: nameOffset).assumingMemoryBound(to: CChar.self)
            if name.pointee == CChar(UInt8(ascii: ".")) { continue }
            guard let text = String(validatingCString: name) else {
                entries.append(Entry(path: prefix + String(cString: name), kind: .misnamed))
                continue
            }
            let kind = kind(Int32(found.pointee.d_type), at: "\(folder)/\(text)")
            entries.append(Entry(path: prefix.isEmpty ? text : prefix + text, kind: kind))
        }
        return true
    }

    private static func kind(_ type: Int32, at path: @autoclosure () -> String) -> Entry.Kind {
        switch type {
        case Int32(DT_REG): .file
        case Int32(DT_DIR): .folder
        case Int32(DT_LNK): .link
        case Int32(DT_UNKNOWN):
            // On some file systems, `readdir` does not report an entry's type, so the type is read from the entry's
            // status. If the status cannot be read, the entry's kind is `other`.
            switch (try? FileStatus(of: path(), followsLinks: false))?.kind {
            case .file: .file
            case .folder: .folder
            case .link: .link
            case .other, nil: .other
            }
        default: .other
        }
    }
}
