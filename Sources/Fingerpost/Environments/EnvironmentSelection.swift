import FingerpostFiles
import Foundation

/// Which of the environments is meant, when the code does not say.
struct EnvironmentSelection {
    /// `APP_ENVIRONMENT`
    var variable: String?
    /// Info.plist's `APIEnvironment`
    var infoPlist: String?
    /// The names of the bundle and the executable.
    var products: [String]
    var isTestProcess: Bool

    /// What the process says of itself.
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
        // What somebody asked for must exist; what is only guessed need not.
        let asked = [
            (name, nil), (variable, "the process variable APP_ENVIRONMENT names it"),
            (infoPlist, "the key APIEnvironment of Info.plist names it"),
        ]
        for case (let target?, let reason) in asked {
            guard targets.contains(target) else { throw folder.notFound(target, because: reason) }
            return target
        }
        // Tests that run inside an app have the app's name too, and must not meet its servers.
        let guesses = (isTestProcess ? ["Testing"] : []) + products
        if let guess = guesses.first(where: targets.contains) { return guess }
        if targets.count == 1 { return targets[0] }
        throw EnvironmentError(
            .notFound,
            targets.isEmpty
                ? "there are no environment files"
                : "which environment is meant? There are \(targets.joined(separator: ", "))",
            file: FilePath.display(folder.url),
            fix: targets.isEmpty
                ? "add <Name>-Env.plist or <Name>-Env.json"
                : "set the process variable APP_ENVIRONMENT, or name it in the code")
    }
}

extension EnvironmentFolder {
    /// The given folder, or the one that is found.
    init(searching given: URL?) throws(EnvironmentError) {
        do throws(FileProblem) {
            if let given {
                try self.init(url: given)
                return
            }
            let search = FolderSearch(Self.name)
            if let found = search.found {
                try self.init(url: found, secrets: search.besides)
                return
            }
            // Apps often have their resources at the top level of the bundle.
            if let resources = Bundle.main.resourceURL {
                try self.init(url: resources)
                if !targets.isEmpty { return }
            }
            throw FileProblem(
                path: Self.name,
                message: "there is no such folder; looked in \(search.lookedIn.joined(separator: ", "))",
                fix: "add \(Self.name)/<Name>-Env.plist or .json, or use APIClient(baseURL:) without environments")
        } catch {
            throw EnvironmentError(.notFound, error)
        }
    }

    func notFound(_ target: String, because reason: String?) -> EnvironmentError {
        EnvironmentError(
            .notFound,
            "there is no environment \"\(target)\"" + NearestName.hint(target, in: targets)
                + (reason.map { "; \($0)" } ?? ""),
            file: FilePath.display(url),
            fix: targets.isEmpty
                ? "add \(target)\(EnvironmentFile.suffix).plist or .json"
                : "use one of \(targets.joined(separator: ", ")), or add \(target)\(EnvironmentFile.suffix).json")
    }
}
