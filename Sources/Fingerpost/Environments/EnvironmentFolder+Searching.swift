import FingerpostFiles
import Foundation

extension EnvironmentFolder {
    /// Opens the given folder; if it is nil, searches for the environments folder.
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
