import FingerpostFiles
import Foundation

/// Keeps the name of the environment that was chosen, for the next launch.
struct ChosenName: Sendable {
    /// The name; nil if none was chosen.
    let read: @Sendable () -> String?
    /// Keeps a name, or forgets it.
    let write: @Sendable (String?) throws -> Void

    #if canImport(Darwin)
        private static let key = "FingerpostEnvironment"

        /// In the preferences of the app.
        static let ofProcess = ChosenName {
            UserDefaults.standard.string(forKey: key)
        } write: {
            UserDefaults.standard.set($0, forKey: key)
        }
    #else
        /// In a file of the user, in a folder named after the executable. Where that is, is asked only in an app that may
        /// switch: the question may open a socket of the system's database of users.
        static let ofProcess = ChosenName { fileOfProcess }

        private static var fileOfProcess: URL {
            let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
            let home = folders.first ?? URL(fileURLWithPath: NSHomeDirectory())
            return home.appendingPathComponent(ProcessInfo.processInfo.processName)
                .appendingPathComponent("fingerpost-environment")
        }
    #endif

    init(read: @escaping @Sendable () -> String?, write: @escaping @Sendable (String?) throws -> Void) {
        self.read = read
        self.write = write
    }

    init(file: URL) {
        self.init { file }
    }

    /// - Parameter file: the file with the name, asked for when it is read or written.
    private init(file: @escaping @Sendable () -> URL) {
        self.init {
            // A file that cannot be read, or is not this user's, chooses nothing.
            guard let data = try? PrivateFile.contents(of: file(), limit: 1024) else { return nil }
            return String(bytes: data, encoding: .utf8).flatMap { $0.isEmpty ? nil : $0 }
        } write: { name in
            let file = file()
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try PrivateFile.replace(file, with: Data((name ?? "").utf8))
        }
    }
}
