package import FingerpostFiles
import FingerpostShared
package import Foundation

// Lists the files of a folder, and reads file contents from the disk.
extension MockIndex {
    /// Lists all entries below a folder, in no particular order. Hidden entries are left out. Links are listed but not
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
        default:
            // On some file systems, `readdir` does not report the type of an entry. In that case, the type comes from
            // the entry's status. If the status cannot be read, the entry's kind is `other`.
            switch (try? FileStatus(of: path(), followsLinks: false))?.kind {
            case .file: .file
            case .folder: .folder
            case .link: .link
            case .other, nil: .other
            }
        }
    }

    // MARK: Contents

    /// Returns the contents of a body file. The contents are kept, so that further calls do not read the file again.
    ///
    /// - Parameter file: a path relative to the folder, as in ``StubDefinition/file``.
    package func body(file: String) throws(Failure) -> StubBody {
        let name = ByteName(file)
        if let known = bodies.withLock({ $0[name] }) { return known }
        do throws(FileProblem) {
            let body: StubBody = (try contents(of: file), MediaType(fileName: file)?.rawValue, location(of: file))
            // If another call has read the same file in the meantime, all further calls get one of the two copies.
            bodies.withLock { $0[name] = body }
            return body
        } catch {
            throw .unreadable(error)
        }
    }

    /// Returns the bytes of a file.
    package func contents(of file: String, maximumSize: Int = .max) throws(FileProblem) -> Data {
        let opened = try RegularFile(location(ofFile: file), path: self.path(of: file))
        guard opened.size <= maximumSize else {
            throw FileProblem(
                path: path(of: file),
                message: "the file has \(opened.size) bytes; a settings file can have at most \(maximumSize)",
                fix: "move the content into a body file")
        }
        return try opened.mappedContents()
    }

    /// Returns the bytes of a file with settings or scenarios. If the file is too large, throws an error.
    func settings(in file: String) throws(FileProblem) -> Data { try contents(of: file, maximumSize: 1_000_000) }

    /// Finds the URL of a file. A link is followed if its target is in the mocks folder.
    ///
    /// - Throws: an error if the file is a broken link, a link to a target outside the mocks folder, or a link to a
    ///   folder.
    package func location(ofFile file: String) throws(FileProblem) -> URL {
        let location = location(of: file)
        guard self[file]?.kind == .link else { return location }
        let target = location.resolvingSymlinksInPath()
        let (message, fix): (String, String)
        if !FileManager.default.fileExists(atPath: location.path) {
            (message, fix) = ("this is a link to a file that does not exist", "correct or remove it")
        } else if !Self.isInside(target, url.resolvingSymlinksInPath()) {
            (message, fix) = ("this link leads outside the folder", "replace it with the file")
        } else if Self.isInside(location.deletingLastPathComponent().resolvingSymlinksInPath(), target) {
            (message, fix) = ("this is a link to a folder that contains it", "remove it")
        } else if location.isFolder {
            (message, fix) = ("this is a link to a folder, which is not followed", "replace it with the folder")
        } else {
            return target
        }
        throw FileProblem(path: path(of: file), message: message, fix: fix)
    }

    /// Returns true if a file or folder is in another folder, or is that folder.
    private static func isInside(_ url: URL, _ folder: URL) -> Bool {
        "\(url.path)/".begins(with: "\(folder.path)/")
    }

    package func path(of file: String) -> String { FilePath.display(location(of: file)) }

    private func location(of file: String) -> URL { url.appendingPathComponent(file, isDirectory: false) }
}

extension RegularFile {
    /// A file with at least this many bytes is copied, and the copy is mapped into memory. A smaller file is read into
    /// memory.
    package static let mappedSize = 16_000_000

    /// Returns the bytes of the file. If the file has at least ``mappedSize`` bytes, a copy of the file is mapped into
    /// memory.
    func mappedContents() throws(FileProblem) -> Data {
        // If the disk has no space for a copy, the file is read into memory.
        if size >= Int64(Self.mappedSize), let data = try? mappedCopy() { return data }
        return try contents()
    }

    /// Returns the bytes of a mapped copy. The copy has no name, so that no other process can change it. The copy uses
    /// disk space until the returned bytes are released. The bytes take little memory, because the system can remove
    /// mapped bytes from memory at any time.
    private func mappedCopy() throws -> Data {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("fingerpost-\(UUID().uuidString)")
        let new = try NewFile.create(at: copy)
        defer { unlink(copy.path) }
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { try new.write(contentsOf: piece) }
        return try Self.mapped(copy)
    }
}
