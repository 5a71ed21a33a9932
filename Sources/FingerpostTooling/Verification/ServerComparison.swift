import FingerpostBuilding
import FingerpostFiles
import Foundation

/// Compares the servers that environments call: those of other environments, and those of other parts of a build.
enum ServerComparison {
    // MARK: Environments

    /// Reports base URLs of the selected environment that are those of another one.
    ///
    /// - Parameters:
    ///   - others: the other environments, in the build and in the source.
    ///   - reviewed: the selected environment as it was reviewed; nil if it was not.
    static func findings(
        _ selected: SelectedEnvironment, in build: Build, others: [LayeredEnvironment], reviewed: LayeredEnvironment?
    ) -> [FileProblem] {
        let servers = selected.servers
        var seen: Set<String> = []
        var problems: [FileProblem] = []
        for other in others where other.name != selected.name && !other.isSealed {
            let known = OtherServers(other, servers)
            let shared = servers.compactMap { server in known.match(server, selected.name).map { (server, $0) } }
            for (server, match) in shared where seen.insert("\(server.key) \(other.name)").inserted {
                let text = selected.layers.shown(.string(server.text), at: server.key)
                let isInherited = server.owner == other.name
                let place = isInherited ? "inherited from \(match.setting.source)" : "as in \(match.setting.source)"
                let problem = server.setting.source.problem(
                    "\(selected.name) calls the server of \(other.name): \"\(server.key)\" is \(text), \(place)",
                    fix: "write the host of \(selected.name); if both call this server on purpose, "
                        + "write it once, in \(EnvironmentFolder.base)\(EnvironmentFile.suffix)")
                // Environments often share a service, such as the one for logins, but neither the server that clients
                // call by default nor all servers.
                let isError =
                    server.isMain || shared.count == servers.count || known.isNamed(server)
                    || reviewed?.root[path: server.key]?.node.string?.isSame(as: server.text) == false
                let shown = build.files.shown(problem.with(isError ? .error : .warning), in: selected.folder.url)
                problems.append(shown.of(.otherServer))
            }
        }
        return problems
    }

    /// The servers of another environment than the selected one, by what they are found by.
    private struct OtherServers {
        private let name: String
        private let byKey: [String: SelectedEnvironment.Server]
        private let byAuthority: [String: SelectedEnvironment.Server]
        /// True if hosts of the selected environment alone contain the name too, as with the name of the company.
        private var isCommonName = false

        /// - Parameter own: the servers of the selected environment.
        init(_ other: LayeredEnvironment, _ own: [SelectedEnvironment.Server]) {
            let servers = other.servers
            name = other.name.lowercased()
            byKey = Dictionary(servers.map { ($0.key, $0) }) { first, _ in first }
            byAuthority = Dictionary(servers.map { ($0.authority, $0) }) { first, _ in first }
            isCommonName = own.contains { isNamed($0) && byAuthority[$0.authority] == nil }
        }

        /// True if the host of a server names the environment: `staging`, in `staging-api.acme.com`.
        func isNamed(_ server: SelectedEnvironment.Server) -> Bool {
            !isCommonName && server.authority.words(between: ".-:_").contains { $0 == name }
        }

        /// The server of the environment that a server of the selected one is; nil if there is none.
        func match(_ own: SelectedEnvironment.Server, _ selected: String) -> SelectedEnvironment.Server? {
            let isNamed = isNamed(own)
            let same = byKey[own.key].flatMap { $0.authority == own.authority ? $0 : nil }
            guard let other = same ?? (isNamed ? byAuthority[own.authority] : nil) else { return nil }
            if own.owner == other.owner, let owner = own.owner {
                // Who inherits from another environment may want its server, but hardly the one for users.
                return owner.lowercased() == name && isForUsers(selected) && isNamed ? other : nil
            }
            // Different paths on one host can be different servers.
            return isNamed || path(of: own.text).isSame(as: path(of: other.text)) ? other : nil
        }
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
    static func disagreements(_ selected: [SelectedEnvironment]) -> [FileProblem] {
        guard let first = selected.first else { return [] }
        let servers = Dictionary(first.servers.map { ($0.key, $0) }) { first, _ in first }
        return selected.dropFirst().flatMap { environment -> [FileProblem] in
            let choice =
                environment.name == first.name
                ? "although both select \(environment.name)" : "(\(first.name) and \(environment.name) are selected)"
            if environment.layers.isSealed != first.layers.isSealed {
                let (sealed, live) = environment.layers.isSealed ? (environment, first) : (first, environment)
                return [
                    FileProblem(
                        .disagreement, environment.part.path,
                        "\(sealed.part.path) shows test data, but \(live.part.path) calls servers \(choice)",
                        fix: "select the same environment in both")
                ]
            }
            return environment.servers.compactMap { server in
                guard let other = servers[server.key],
                    other.authority != server.authority
                else { return nil }
                let shown = environment.layers.shown(.string(server.text), at: server.key)
                let otherShown = first.layers.shown(.string(other.text), at: server.key)
                return FileProblem(
                    .disagreement, environment.part.path,
                    "\(environment.part.path) calls \(shown), but \(first.part.path) calls \(otherShown) \(choice)",
                    fix: "select the same environment in both, from the same files")
            }
        }
    }
}
