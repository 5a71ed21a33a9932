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

/// Keeps the name of the environment that was chosen, for the next launch.
struct StoredChoice: Sendable {
    /// The name; nil if none was chosen.
    ///
    /// Throws an error that may be temporary, so that a name that cannot be read is not taken for none.
    let read: @Sendable () throws -> String?
    /// Stores a name. Nil deletes the stored name.
    let write: @Sendable (String?) throws -> Void

    /// The name of this process.
    static let ofProcess = StoredChoice { ChosenFile.ofProcess }

    init(read: @escaping @Sendable () throws -> String?, write: @escaping @Sendable (String?) throws -> Void) {
        self.read = read
        self.write = write
    }

    init(file: URL) {
        self.init { file }
    }

    /// - Parameter file: finds the file, when the name is read or written.
    private init(file: @escaping @Sendable () -> URL) {
        self.init {
            do {
                guard let data = try PrivateFile.contents(of: file(), limit: 1024) else { return nil }
                return String(bytes: data, encoding: .utf8).flatMap { $0.isEmpty ? nil : $0 }
            } catch is PrivateFile.Refusal {
                // A file that is not this user's chooses nothing.
                return nil
            }
        } write: { name in
            let file = file()
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try NewFile.replace(file, with: Data((name ?? "").utf8))
            #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
                // A disk that protects no files, such as that of a Mac, may refuse. The file can be read there anyway.
                try? FileManager.default.setAttributes(
                    [.protectionKey: FileProtectionType.none], ofItemAtPath: file.path)
            #endif
        }
    }
}
