import FingerpostFiles
import Foundation

extension EnvironmentSelection {
    /// The selection for the current process, which has these variables.
    static func current(variables: [String: String]) -> EnvironmentSelection {
        let info = Bundle.main.infoDictionary ?? [:]
        return EnvironmentSelection(
            variables: variables, infoPlist: info[infoPlistKey] as? String,
            bundleName: info["CFBundleName"] as? String, executable: ProcessInfo.processInfo.processName,
            isTestProcess: TestProcess.isCurrent)
    }

    func target(_ request: Request?, in folder: EnvironmentFolder) throws(EnvironmentError) -> String {
        let target: String?
        do throws(FileProblem) { target = try self.target(of: request, in: folder) } catch {
            throw EnvironmentError(.notFound, error)
        }
        if let target { return target }
        let targets = folder.targets
        throw EnvironmentError(
            .notFound,
            targets.isEmpty
                ? "there are no environment files"
                : "no environment is selected; there are \(targets.joined(separator: ", "))",
            file: FilePath.display(folder.url),
            fix: targets.isEmpty
                ? "add <Name>-Env.plist or <Name>-Env.json"
                : "set the process variable \(Self.variableName), or name it in the code",
            absence: .noneSelected)
    }
}
