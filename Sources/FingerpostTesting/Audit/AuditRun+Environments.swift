import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

extension AuditRun {
    /// Finds routes whose environment key is missing in an environment beside the mocks. The value of a secret may be
    /// missing: its name in `$secrets` is enough.
    mutating func lookForEnvironmentKeys(of routes: [AuditedRoute]) {
        let routes = routes.filter { !$0.keys.isEmpty }
        if routes.isEmpty { return }
        let found: (folder: URL, all: [LayeredEnvironment])?
        do throws(FileProblem) { found = try environments.get() } catch {
            return add(.wrongRoute, routes.first?.mock, error)
        }
        guard let (url, environments) = found else {
            return add(
                .wrongRoute, routes.first?.mock,
                "\(routes[0].name) names the environment key \(routes[0].keys[0].name.quoted), and no folder "
                    + "\(EnvironmentFolder.name) was found to look for it", fix: nil, as: .warning)
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

    /// Finds mock headers that name an environment key which no environment has, or which is a secret in every
    /// environment that has it. If a mock with such a header answers a call, the call fails.
    mutating func lookForHeaderKeys(of mocks: [ByteName: [StubDefinition]]) {
        // If the folder cannot be read, lookForEnvironmentKeys and the check of environments report the error. A file
        // that cannot be read may contain the key. The check of environments reports such a file.
        guard let environments = try? environments.get()?.all, !environments.isEmpty,
            !environments.contains(where: \.isIncomplete)
        else { return }
        for (name, mocks) in mocks.sorted(by: { $0.key.text < $1.key.text }) {
            for mock in mocks {
                guard let settings = mock.settings else { continue }
                for (header, value) in settings.responses.flatMap(\.headers) {
                    for key in LayeredEnvironment.keys(in: value) {
                        let known = environments.filter { $0.root[path: key] != nil }
                        if known.contains(where: { !$0.isSecret(key) }) { continue }
                        let keys = Set(environments.flatMap(\.paths)).sorted()
                        add(
                            .invalidFile, name.text,
                            FileProblem(
                                path: settings.path,
                                message: known.isEmpty
                                    ? "the header \(header) names the key \(key.quoted), which no environment has"
                                        + NearestName.hint(key, in: keys)
                                    : "the header \(header) names \(key.quoted), which is or contains a secret",
                                fix: known.isEmpty ? "correct the key" : "write an invented value into the mock"))
                    }
                }
            }
        }
    }
}

extension LayeredEnvironment {
    /// Returns the keys that a header names as `{env.<key>}`.
    fileprivate static func keys(in header: String) -> [String] {
        var (keys, rest) = ([String](), header.replacing(bytesOf: StubResponse.escapedKeyStart, with: "")[...])
        while let start = rest.firstRange(ofBytes: keyStart), let (key, end) = rest[start.upperBound...].cut(at: "}") {
            keys.append(String(key))
            rest = end
        }
        return keys
    }
}
