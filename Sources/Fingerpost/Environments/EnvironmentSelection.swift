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

    /// The selection for the current process.
    static var current: EnvironmentSelection {
        let info = Bundle.main.infoDictionary ?? [:]
        return EnvironmentSelection(
            variable: ProcessInfo.processInfo.environment["APP_ENVIRONMENT"].flatMap { $0.isEmpty ? nil : $0 },
            infoPlist: (info["APIEnvironment"] as? String).flatMap { $0.isEmpty ? nil : $0 },
            products: [info["CFBundleName"] as? String, ProcessInfo.processInfo.processName].compactMap { $0 },
            isTestProcess: TestProcess.isCurrent)
    }

    func target(named name: String?, in folder: EnvironmentFolder) throws(EnvironmentError) -> String {
        let targets = folder.targets
        // A name from the code, the process variable or Info.plist must be the name of an existing environment. A
        // guessed name is ignored if no environment has that name.
        let asked = [
            (name, nil), (variable, "the process variable APP_ENVIRONMENT names it"),
            (infoPlist, "the key APIEnvironment of Info.plist names it"),
        ]
        for case (let target?, let reason) in asked {
            guard targets.contains(target) else { throw folder.notFound(target, because: reason) }
            return target
        }
        // Tests that are hosted in an app run under the app's name but must not reach the app's servers, so `Testing`
        // is tried first.
        let guesses = (isTestProcess ? ["Testing"] : []) + products
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
                : "set the process variable APP_ENVIRONMENT, or name it in the code")
    }
}
