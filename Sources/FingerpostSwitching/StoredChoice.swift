import FingerpostFiles
import FingerpostShared
import Foundation

/// Loads the environment that an earlier launch stored. `Fingerpost` finds this class by its name.
final class StoredEnvironmentLoader: ChosenEnvironmentLoader {
    static func environment(
        over usual: Environment, load: (String) throws(EnvironmentError) -> Environment
    ) throws -> Environment? {
        try SwitchRules().kept(over: usual, load: load)
    }
}

/// Stores the name of the chosen environment for the next launch.
struct StoredChoice: Sendable {
    /// Reads the name. Returns nil if no environment was chosen. Throws an error if the name cannot be read. The cause
    /// may be temporary, so callers must not treat the error as a missing name.
    let read: @Sendable () throws -> String?
    /// Stores a name. Nil deletes the stored name.
    let write: @Sendable (String?) throws -> Void

    static let ofProcess = StoredChoice { ChosenFile.ofProcess }

    init(read: @escaping @Sendable () throws -> String?, write: @escaping @Sendable (String?) throws -> Void) {
        self.read = read
        self.write = write
    }

    init(file: URL) {
        self.init { file }
    }

    /// - Parameter file: returns the file when the name is read or written.
    private init(file: @escaping @Sendable () -> URL) {
        self.init {
            do {
                guard let data = try PrivateFile.contents(of: file(), limit: 1024) else { return nil }
                return String(bytes: data, encoding: .utf8).flatMap { $0.isEmpty ? nil : $0 }
            } catch is PrivateFile.Refusal {
                // If other users can access the file, its content is ignored.
                return nil
            }
        } write: { name in
            let file = file()
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try NewFile.replace(file, with: Data((name ?? "").utf8))
            #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
                // Some disks, such as those of Macs, do not protect files and may refuse this call. On such disks, the
                // file can be read even without this call.
                try? FileManager.default.setAttributes(
                    [.protectionKey: FileProtectionType.none], ofItemAtPath: file.path)
            #endif
        }
    }
}

extension NewFile {
    /// Replaces a file atomically: other processes read either the old content or the new content. Only this user can
    /// read the new file.
    ///
    /// - Throws: `POSIXError` or Foundation's error if the file cannot be written.
    fileprivate static func replace(_ url: URL, with data: Data) throws {
        let new = hidden(in: url.deletingLastPathComponent())
        defer { unlink(new.path) }
        try write(data, to: new)
        guard rename(new.path, url.path) == 0 else { throw POSIXError.last }
    }
}

extension PrivateFile {
    /// Returns the content of a file, or nil if the file does not exist.
    ///
    /// - Parameter limit: the maximum size in bytes. The rest of a larger file is not read.
    /// - Throws: the same errors as ``open(_:_:)``, and Foundation's error if the file cannot be read.
    fileprivate static func contents(of url: URL, limit: Int) throws -> Data? {
        do {
            return try open(url, O_RDONLY).read(upToCount: limit) ?? Data()
        } catch let error as POSIXError where error.code == .ENOENT {
            return nil
        }
    }
}
