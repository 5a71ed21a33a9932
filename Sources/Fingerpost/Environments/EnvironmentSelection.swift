import FingerpostFiles
import Foundation

/// Selects an environment if the code does not name an environment.
struct EnvironmentSelection {
    /// The value of the process variable `APP_ENVIRONMENT`; nil if it is not set or empty.
    var variable: String?
    /// The value of the key `APIEnvironment` in Info.plist; nil if it is missing or empty.
    var infoPlist: String?
    /// The names of the main bundle and the executable, which are used as guesses for the name of the environment.
    var products: [String]
    var isTestProcess: Bool

    /// The selection for the current process, which has these variables.
    static func current(variables: [String: String]) -> EnvironmentSelection {
        let info = Bundle.main.infoDictionary ?? [:]
        return EnvironmentSelection(
            variable: variables["APP_ENVIRONMENT"].flatMap { $0.isEmpty ? nil : $0 },
            infoPlist: (info["APIEnvironment"] as? String).flatMap { $0.isEmpty ? nil : $0 },
            products: [info["CFBundleName"] as? String, ProcessInfo.processInfo.processName].compactMap { $0 },
            isTestProcess: TestProcess.isCurrent)
    }

    /// An environment that is asked for, and must therefore exist.
    struct Request {
        let target: String
        /// What asks for the environment, as the next part of a message; empty if the code does.
        let reason: String
        /// What the name of the environment's own file begins with. A file for `Base` would not be an environment.
        var file: String { target == EnvironmentFolder.base ? "<Name>" : target }
    }

    /// The environment that the code, the process variable or Info.plist asks for.
    ///
    /// - Parameter name: the name in the code.
    func request(_ name: String?) -> Request? {
        let names = [
            (name, ""), (variable, "; the process variable APP_ENVIRONMENT names it"),
            (infoPlist, "; the key APIEnvironment of Info.plist names it"),
        ]
        for case (let target?, let reason) in names { return Request(target: target, reason: reason) }
        return nil
    }

    /// True if neither a request nor the rule for tests selects the environment, so that it might be the one that
    /// customers use.
    func isGuess(_ target: String, _ request: Request?) -> Bool {
        request == nil && !(isTestProcess && target == Self.tests)
    }

    /// The name of the environment that test processes use.
    private static let tests = LayeredEnvironment.sealedDescription

    func target(_ request: Request?, in folder: EnvironmentFolder) throws(EnvironmentError) -> String {
        let targets = folder.targets
        // An environment that is asked for must exist. A guessed name is ignored if no environment has that name.
        if let request {
            guard targets.contains(request.target) else { throw folder.notFound(request) }
            return request.target
        }
        // Tests that are hosted in an app run under the app's name but must not reach the app's servers, so `Testing`
        // is tried first.
        let guesses = (isTestProcess ? [Self.tests] : []) + products
        if let guess = guesses.first(where: targets.contains) { return guess }
        if targets.count == 1 { return targets[0] }
        throw EnvironmentError(
            .notFound,
            targets.isEmpty
                ? "there are no environment files"
                : "no environment is selected; there are \(targets.joined(separator: ", "))",
            file: FilePath.display(folder.url),
            fix: targets.isEmpty
                ? "add <Name>-Env.plist or <Name>-Env.json"
                : "set the process variable APP_ENVIRONMENT, or name it in the code",
            absence: .noneSelected)
    }
}
