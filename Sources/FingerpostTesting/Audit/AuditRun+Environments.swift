import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import Foundation

extension AuditRun {
    /// Looks in every environment beside the mocks for the keys that routes name, without their secrets.
    mutating func lookForEnvironmentKeys(of routes: [AuditedRoute]) {
        let routes = routes.filter { !$0.keys.isEmpty }
        if routes.isEmpty { return }
        let url: URL?
        do throws(FileProblem) { url = try EnvironmentFolder.url(besideMocksIn: folder.url) } catch {
            return add(.wrongRoute, routes.first?.mock, error)
        }
        guard let url else {
            return add(
                .wrongRoute, routes.first?.mock,
                "\(routes[0].name) names the environment key \(routes[0].keys[0].name.quoted), and no folder "
                    + "\(EnvironmentFolder.name) was found to look for it", fix: nil, as: .warning)
        }
        let environments: [LayeredEnvironment]
        do throws(FileProblem) {
            let files = try EnvironmentFolder(url: url)
            environments = files.targets.sorted().map { files.load($0, parser: strictParser) }
        } catch {
            return add(.wrongRoute, routes.first?.mock, error)
        }
        for route in routes {
            for key in Set(route.keys) {
                for environment in environments {
                    guard
                        let problem = KeyLookup.problem(
                            with: key.name, at: key.place, in: environment, needsValue: false)
                    else { continue }
                    let file = environment.committedDocuments.last?.path
                    add(
                        .wrongRoute, route.mock,
                        FileProblem(
                            path: file ?? FilePath.display(url),
                            message: "\(route.name) names the environment key \(key.name.quoted), which "
                                + problem.message,
                            fix: problem.fix))
                }
            }
        }
    }
}
