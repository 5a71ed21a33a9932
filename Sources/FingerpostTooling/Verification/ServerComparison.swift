import FingerpostFiles
import Foundation

/// Compares the servers that environments call: those of other environments, and those of other parts of a build.
enum ServerComparison {
    // MARK: Environments

    /// Reports base URLs of the selected environment that are those of another one.
    ///
    /// - Parameter others: the other environments, in the build and in the source.
    static func findings(
        _ selected: SelectedEnvironment, in build: Build, others: [LayeredEnvironment]
    ) -> [BuildFinding] {
        var seen: Set<String> = []
        return others.filter { $0.name != selected.name && !$0.isSealed }.flatMap { other in
            selected.layers.mainServers.compactMap { server -> BuildFinding? in
                guard let match = other.mainServers.first(where: { isShared(server, $0, selected.name, other.name) }),
                    seen.insert("\(server.key) \(other.name)").inserted
                else { return nil }
                let shown = selected.layers.shown(.string(server.text), at: server.key)
                let isInherited = server.owner == other.name
                let place = isInherited ? "inherited from \(match.setting.source)" : "as in \(match.setting.source)"
                let problem = server.setting.source.problem(
                    "\(selected.name) calls the server of \(other.name): \"\(server.key)\" is \(shown), \(place)",
                    fix: "write the host of \(selected.name); if both call this server on purpose, "
                        + "write it once, in \(EnvironmentFolder.base)\(EnvironmentFile.suffix)")
                return BuildFinding(.otherServer, build.files.shown(problem, in: selected.folder.url))
            }
        }
    }

    private static func isShared(
        _ own: SelectedEnvironment.Server, _ other: SelectedEnvironment.Server, _ name: String, _ otherName: String
    ) -> Bool {
        guard let authority = URLText.authority(of: own.text), authority == URLText.authority(of: other.text) else {
            return false
        }
        let isNamed = words(of: authority).contains(otherName.lowercased())
        if own.owner == other.owner, own.owner != nil {
            // Who inherits from another environment may want its server, but hardly the one for users.
            return own.owner == otherName && isForUsers(name) && isNamed
        }
        // Different paths on one host can be different servers.
        return isNamed || path(of: own.text).isSame(as: path(of: other.text))
    }

    /// The words of a host: `staging`, `api`, `acme`, `com` for `staging-api.acme.com`.
    private static func words(of authority: String) -> Set<String> {
        Set(authority.words(between: ".-:_").map(String.init))
    }

    private static func isForUsers(_ name: String) -> Bool {
        ["prod", "release", "live", "store"].contains { name.lowercased().contains(bytesOf: $0) }
    }

    private static func path(of text: String) -> String {
        var path = URLText.url(text)?.path ?? ""
        while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return path
    }

    // MARK: Parts

    /// Reports the parts of a build that call other servers than the first.
    static func disagreements(_ selected: [SelectedEnvironment]) -> [BuildFinding] {
        guard let first = selected.first else { return [] }
        let servers = Dictionary(first.servers.map { ($0.key, $0) }) { first, _ in first }
        return selected.dropFirst().flatMap { environment -> [BuildFinding] in
            let choice =
                environment.name == first.name
                ? "although both select \(environment.name)" : "(\(first.name) and \(environment.name) are selected)"
            if environment.layers.isSealed != first.layers.isSealed {
                let (sealed, live) = environment.layers.isSealed ? (environment, first) : (first, environment)
                return [
                    BuildFinding(
                        .disagreement, environment.part.path,
                        "\(sealed.part.path) shows test data, but \(live.part.path) calls servers \(choice)",
                        fix: "select the same environment in both")
                ]
            }
            return environment.servers.compactMap { server in
                guard let other = servers[server.key],
                    URLText.authority(of: other.text) != URLText.authority(of: server.text)
                else { return nil }
                let shown = environment.layers.shown(.string(server.text), at: server.key)
                let otherShown = first.layers.shown(.string(other.text), at: server.key)
                return BuildFinding(
                    .disagreement, environment.part.path,
                    "\(environment.part.path) calls \(shown), but \(first.part.path) calls \(otherShown) \(choice)",
                    fix: "select the same environment in both, from the same files")
            }
        }
    }
}
