import FingerpostFiles
package import Foundation

/// Loads the environment that was chosen in an earlier launch. The module `FingerpostSwitching` contains the only
/// implementation, and most apps lack that module.
package protocol ChosenEnvironmentLoader: AnyObject, Sendable {
    /// Loads the chosen environment. Returns nil if no environment was chosen, or if the app does not allow the choice.
    ///
    /// If the stored name cannot be read at the moment, this method throws an error instead of returning nil, because
    /// an environment may have been chosen.
    ///
    /// - Parameters:
    ///   - usual: the environment that the rules select.
    ///   - load: loads an environment by its name.
    static func environment(
        over usual: Environment, load: (String) throws(EnvironmentError) -> Environment
    ) throws -> Environment?
}

/// The file that stores the name of the chosen environment.
package enum ChosenFile {
    /// A file of the user, in a folder that is named after the executable. Preferences are not used, because they are
    /// empty until a device is first unlocked, and the system may launch the app before that. The path is only computed
    /// in an app that may switch, because the computation may open a socket to the system's user database.
    package static var ofProcess: URL {
        let folders = FileManager.default.urls(for: directory, in: .userDomainMask)
        let home = folders.first ?? URL(fileURLWithPath: NSHomeDirectory())
        return home.appendingPathComponent(ProcessInfo.processInfo.processName)
            .appendingPathComponent("fingerpost-environment")
    }

    #if os(tvOS)
        /// Apps can write to no other directory. The system may empty this directory while the app does not run.
        private static let directory = FileManager.SearchPathDirectory.cachesDirectory
    #else
        private static let directory = FileManager.SearchPathDirectory.applicationSupportDirectory
    #endif

    private static let linked = LinkedClass<any ChosenEnvironmentLoader.Type>(
        "FingerpostSwitching.StoredEnvironmentLoader")

    /// Loads the environment that an earlier launch chose, if the process contains a ``ChosenEnvironmentLoader``.
    @Sendable static func environment(
        over usual: Environment, load: (String) throws(EnvironmentError) -> Environment
    ) throws -> Environment? {
        if let kept = linked.value { return try kept.environment(over: usual, load: load) }
        if usual.layers.isSwitchable, !usual.isSealed, !TestProcess.isCurrent, let warning = warning(about: ofProcess) {
            StandardError.warn(warning)
        }
        return nil
    }

    /// Returns the warning that a choice is stored but this process cannot load the chosen environment. Returns nil if
    /// no choice is stored.
    static func warning(about file: URL) -> String? {
        // An unreadable file counts as missing.
        guard let status = try? FileStatus(of: file.path), status.size > 0 else { return nil }
        return "an environment was chosen in an earlier launch, and is not used: this process does not contain "
            + "FingerpostSwitching. Fix: add the product, or delete \(FilePath.display(file))"
    }
}
