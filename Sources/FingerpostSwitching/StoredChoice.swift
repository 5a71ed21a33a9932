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
    /// Reads the name. Returns nil if no environment was chosen. If the name cannot be read, throws an error. The error
    /// may be temporary, so the error must not have the effect of a missing name.
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
