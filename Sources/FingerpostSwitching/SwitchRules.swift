import FingerpostFiles
import FingerpostShared
import Foundation

/// Decides which environment a process may choose, and whether it may leave the one that the rules select.
struct SwitchRules: Sendable {
    /// Keeps the choice.
    var name = ChosenName.ofProcess
    var isTestProcess = TestProcess.isCurrent
    /// The variables of the process.
    var variables = ProcessInfo.processInfo.environment

    /// Why the process must not leave the environment that the rules select; nil if it may.
    func objection(over usual: Environment) -> EnvironmentError? {
        if isTestProcess {
            return EnvironmentError(
                .refused, "a test cannot choose the environment of the process, which all tests share",
                fix: "give the test an APIScope with an environment")
        }
        if let variable = variables[variable: EnvironmentSelection.variableName] {
            return EnvironmentError(
                .refused, "the environment variable APP_ENVIRONMENT selects the environment \(variable.quoted)",
                fix: "unset it, to choose another environment")
        }
        if usual.isSealed {
            return EnvironmentError(
                .refused, "the environment \(usual.name) is sealed, so this build cannot switch to another one",
                file: usual.path,
                fix: "build the app with another environment")
        }
        if !usual.layers.isSwitchable {
            return EnvironmentError(
                .refused, "the environment \(usual.name) does not allow switching", file: usual.path,
                fix: "set \"$switchable\": true in a committed file, in builds for testers only")
        }
        return nil
    }

    /// Marks an environment as chosen.
    ///
    /// - Throws: ``EnvironmentError`` if no call would reach a server.
    func chosen(_ environment: Environment) throws(EnvironmentError) -> Environment {
        if environment.isSealed {
            throw EnvironmentError(
                .refused, "the environment \(environment.name.quoted) is sealed, so no call would reach a server",
                file: environment.path,
                fix: "choose an environment with a server")
        }
        return environment.markedAsChosen
    }

    /// The environment that an earlier launch chose, if the app still allows it: see `KeptChoice`.
    @Sendable func kept(
        over usual: Environment, load: (String) throws(EnvironmentError) -> Environment
    ) throws -> Environment? {
        guard objection(over: usual) == nil, let name = try name.read(), name != usual.name else { return nil }
        do throws(EnvironmentError) { return try chosen(try load(name)) } catch {
            StandardError.warn(
                "the environment \(name.quoted) that was chosen cannot be used, so \(usual.name) is: "
                    + error.problems.map(\.description).joined(separator: "; "))
            return nil
        }
    }
}

/// What the environment of a process asks for at launch. It is found by its name.
final class KeptName: KeptChoice {
    static func environment(
        over usual: Environment, load: (String) throws(EnvironmentError) -> Environment
    ) throws -> Environment? {
        try SwitchRules().kept(over: usual, load: load)
    }
}

/// Keeps the name of the environment that was chosen, for the next launch.
struct ChosenName: Sendable {
    /// The name; nil if none was chosen.
    ///
    /// Throws an error that may be temporary, so that a name that cannot be read is not taken for none.
    let read: @Sendable () throws -> String?
    /// Keeps a name, or forgets it.
    let write: @Sendable (String?) throws -> Void

    /// The name of this process.
    static let ofProcess = ChosenName { ChosenFile.ofProcess }

    init(read: @escaping @Sendable () throws -> String?, write: @escaping @Sendable (String?) throws -> Void) {
        self.read = read
        self.write = write
    }

    init(file: URL) {
        self.init { file }
    }

    /// - Parameter file: the file with the name, asked for when it is read or written.
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
