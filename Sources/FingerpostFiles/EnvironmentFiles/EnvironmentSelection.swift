import Foundation

/// Selects an environment if the code does not name an environment.
package struct EnvironmentSelection: Sendable {
    /// The value of the environment variable `APP_ENVIRONMENT`; nil if the variable is not set or empty.
    var variable: String?
    /// The value of the key `APIEnvironment` in Info.plist; nil if the key is missing or empty.
    var infoPlist: String?
    /// The names of the main bundle and the executable, which are used as guesses for the name of the environment.
    package var products: [String]
    var isTestProcess: Bool

    /// The environment variable that names an environment.
    package static let variableName = "APP_ENVIRONMENT"
    /// The key of Info.plist that names an environment.
    package static let infoPlistKey = "APIEnvironment"

    /// A requested environment, which must exist. `reason` is the part of a message that names the setting which
    /// requests the environment. `reason` is empty if the code requests the environment.
    package typealias Request = (target: String, reason: String)

    /// Returns the text with which the name of a new environment file begins. For `Base`, the text is a placeholder,
    /// because a file for `Base` would not be an environment.
    package static func newFile(for request: Request?) -> String {
        request.flatMap { $0.target == EnvironmentFolder.base ? nil : $0.target } ?? "<Name>"
    }

    /// Returns the environment that the code, the environment variable or Info.plist requests.
    ///
    /// - Parameter name: the name in the code.
    package func request(_ name: String?) -> Request? {
        let names = [
            (name, ""), (variable, "; the environment variable \(Self.variableName) names it"),
            (infoPlist, "; the key \(Self.infoPlistKey) of Info.plist names it"),
        ]
        for case (let target?, let reason) in names { return (target, reason) }
        return nil
    }

    /// True if neither a request nor the rule for tests selects the environment. In this case, the environment may be
    /// the one that customers use.
    package func isGuess(_ target: String, _ request: Request?) -> Bool {
        request == nil && !(isTestProcess && target == Self.tests)
    }

    /// The name of the environment that test processes use.
    private static let tests = LayeredEnvironment.sealedDescription

    /// Returns the selected environment, or nil if none is selected.
    ///
    /// - Throws: an error if the requested environment does not exist.
    package func target(of request: Request?, in folder: EnvironmentFolder) throws(FileProblem) -> String? {
        let targets = folder.targets
        // A requested environment must exist. A guessed name is ignored if no environment has this name.
        if let request {
            guard targets.contains(request.target) else { throw folder.missing(request) }
            return request.target
        }
        // Tests that are hosted in an app run under the app's name but must not reach the app's servers, so `Testing`
        // is tried first.
        let guesses = (isTestProcess ? [Self.tests] : []) + products
        return guesses.first(where: targets.contains) ?? (targets.count == 1 ? targets[0] : nil)
    }
}

extension EnvironmentSelection {
    /// Creates the selection from the variables and the Info.plist of a process.
    package init(
        variables: [String: String], infoPlist: String?, bundleName: String?, executable: String, isTestProcess: Bool
    ) {
        self.init(
            variable: variables[variable: Self.variableName],
            infoPlist: infoPlist.flatMap { $0.isEmpty ? nil : $0 },
            products: [bundleName, executable].compactMap(\.self), isTestProcess: isTestProcess)
    }
}

extension EnvironmentFolder {
    /// Returns a hint if an environment's file is in the wrong folder or format; nil if there is no such file.
    private func ignored(_ target: String) -> String? {
        let name = target + EnvironmentFile.suffix
        let others = [
            "\(target)/\(name).json", "\(target)/\(name).plist", "\(name).yaml", "\(name).yml", "\(name).jsonc",
        ]
        return others.first { FileManager.default.fileExists(atPath: url.appendingPathComponent($0).path) }
            .map { " (\($0) is not read: only \(name).json or .plist in \(Self.name) itself is)" }
    }

    /// Returns the error for a requested environment that the folder does not contain.
    func missing(_ request: EnvironmentSelection.Request) -> FileProblem {
        let target = request.target
        let isBase = target == Self.base
        return FileProblem(
            path: FilePath.display(url),
            message: (isBase
                ? "\"\(target)\" cannot be selected, because it holds the values that all environments inherit"
                : "there is no environment \"\(target)\"" + (ignored(target) ?? hint(for: target))) + request.reason,
            fix: targets.isEmpty
                ? "add \(EnvironmentSelection.newFile(for: request))\(EnvironmentFile.suffix).plist or .json"
                : "use one of \(targets.joined(separator: ", "))"
                    + (canAdd(target) ? ", or add \(target)\(EnvironmentFile.suffix).json" : ""))
    }
}
