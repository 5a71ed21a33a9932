import FingerpostFiles
import Foundation

extension EnvironmentFolder {
    /// Opens the given folder; if it is nil, searches for the environments folder.
    ///
    /// - Parameters:
    ///   - request: the environment that is asked for; nil if nothing asks for an environment.
    ///   - process: the resource bundles and the working directory to search.
    init(
        searching given: URL?, for request: EnvironmentSelection.Request?, process: ResourceBundles = .current
    ) throws(EnvironmentError) {
        let search: FolderSearch
        do throws(FileProblem) {
            if let given {
                try self.init(url: given, secrets: SourceFolder.folders(withSecretsOf: given))
                return
            }
            search = try FolderSearch(Self.name, process: process)
            if let found = search.found ?? search.topLevel {
                let secrets =
                    (SourceFolder.folders(withSecretsOf: found) ?? [found]) + [search.working].compactMap { $0 }
                try self.init(url: found, secrets: found == search.working ? nil : secrets)
                return
            }
        } catch {
            throw EnvironmentError(given == nil ? .invalidFile : .notFound, error)
        }
        throw EnvironmentError(
            .notFound,
            (request.map { "there is no environment \"\($0.target)\"\($0.reason), and no such folder" }
                ?? "there is no such folder") + "; looked in \(search.lookedIn.joined(separator: ", "))",
            file: Self.name,
            fix: "add \(Self.name)/\(request?.file ?? "<Name>")\(EnvironmentFile.suffix).plist or .json"
                + (request == nil ? ", or use APIClient(baseURL:) without environments" : ""),
            absence: request == nil ? .noFolder : nil)
    }
}
