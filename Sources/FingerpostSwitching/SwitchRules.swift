import FingerpostFiles
import FingerpostShared
import Foundation

/// Determines which environment a process may choose, and whether the process may use an environment other than the one
/// that the rules select.
struct SwitchRules: Sendable {
    var name = StoredChoice.ofProcess
    var isTestProcess = TestProcess.isCurrent
    var variables = ProcessInfo.processInfo.environment

    /// Returns the reason why the process must use the environment that the rules select. Returns nil if the process
    /// may choose another one.
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
                fix: "set \"$switchable\": true in a committed file that only builds for testers contain")
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

    /// Returns the environment that an earlier launch chose, if the app still allows the choice: see
    /// `ChosenEnvironmentLoader`.
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
