import FingerpostBuilding
import FingerpostFiles
import Foundation

/// Compares the servers that environments call: those of other environments, and those of other parts of a build.
enum ServerComparison {
    // MARK: Environments

    /// Reports base URLs of the selected environment that are those of another one.
    ///
    /// Environments often share a service, such as the one for logins. They share neither the server that clients call
    /// by default, nor all servers, nor one whose host names the other environment.
    ///
    /// - Parameter others: the other environments, in the build and in the source.
    static func findings(
        _ selected: SelectedEnvironment, in build: Build, others: [LayeredEnvironment]
    ) -> [FileProblem] {
        let servers = selected.servers
        var seen: Set<String> = []
        var problems: [FileProblem] = []
        for other in others where other.name != selected.name && !other.isSealed {
            let names = Names(of: other, servers)
            let shared = servers.compactMap { own in
                match(own, names, selected.name).map { (server: own, other: $0) }
            }
            for (server, match) in shared
            where server.isMain || shared.count == servers.count || names.include(server) {
                guard seen.insert("\(server.key) \(other.name)").inserted else { continue }
                let text = selected.layers.shown(.string(server.text), at: server.key)
                let isInherited = server.owner == other.name
                let problem = server.setting.source.problem(
                    "\(selected.name) calls the server of \(other.name): \"\(server.key)\" is \(text), "
                        + "\(isInherited ? "inherited from" : "as in") \(match.setting.source)",
                    fix: "write the host of \(selected.name); if both call this server on purpose, "
                        + "write it once, in \(EnvironmentFolder.base)\(EnvironmentFile.suffix)")
                problems.append(build.files.shown(problem, in: selected.folder.url).of(.otherServer))
            }
        }
        return problems
    }

    /// The servers of another environment than the selected one, and the hosts that name it.
    private struct Names {
        let environment: String
        let byKey: [String: SelectedEnvironment.Server]
        let byAuthority: [String: SelectedEnvironment.Server]
        /// True if the main host of the selected environment contains the name too, as with the name of the company.
        private let isCommon: Bool

        /// - Parameter own: the servers of the selected environment.
        init(of other: LayeredEnvironment, _ own: [SelectedEnvironment.Server]) {
            let name = other.name.lowercased()
            let servers = Dictionary(other.servers.map { ($0.authority, $0) }) { first, _ in first }
            (environment, byAuthority) = (name, servers)
            byKey = Dictionary(other.servers.map { ($0.key, $0) }) { first, _ in first }
            isCommon = own.contains { $0.isMain && Self.isNamed($0, name) && servers[$0.authority] == nil }
        }

        private static func isNamed(_ server: SelectedEnvironment.Server, _ name: String) -> Bool {
            server.authority.words(between: ".-:_").contains { $0 == name }
        }

        /// True if the host of a server names the environment: `staging`, in `staging-api.acme.com`.
        func include(_ server: SelectedEnvironment.Server) -> Bool {
            !isCommon && Self.isNamed(server, environment)
        }
    }

    /// The server of the other environment that a server of the selected one is; nil if there is none.
    private static func match(
        _ own: SelectedEnvironment.Server, _ names: Names, _ selected: String
    ) -> SelectedEnvironment.Server? {
        let isNamed = names.include(own)
        let same = names.byKey[own.key].flatMap { $0.authority == own.authority ? $0 : nil }
        guard let other = same ?? (isNamed ? names.byAuthority[own.authority] : nil) else { return nil }
        if let owner = own.owner, owner == other.owner {
            // Who inherits from another environment may want its server, but hardly the one for users.
            let isForUsers = ["prod", "release", "live", "store"].contains {
                selected.lowercased().contains(bytesOf: $0)
            }
            return owner.lowercased() == names.environment && isForUsers && isNamed ? other : nil
        }
        // Different paths on one host can be different servers.
        return isNamed || path(of: own.text).isSame(as: path(of: other.text)) ? other : nil
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
            let path = environment.part.path
            let choice =
                environment.name == first.name
                ? "although both select \(environment.name)" : "(\(first.name) and \(environment.name) are selected)"
            if environment.layers.isSealed != first.layers.isSealed {
                let (sealed, live) = environment.layers.isSealed ? (environment, first) : (first, environment)
                return [
                    FileProblem(
                        .disagreement, path,
                        "\(sealed.part.path) shows test data, but \(live.part.path) calls servers \(choice)",
                        fix: "select the same environment in both")
                ]
            }
            return environment.servers.compactMap { server in
                guard let other = servers[server.key], other.authority != server.authority else { return nil }
                let shown = environment.layers.shown(.string(server.text), at: server.key)
                let otherShown = first.layers.shown(.string(other.text), at: server.key)
                return FileProblem(
                    .disagreement, path,
                    "\(path) calls \(shown), but \(first.part.path) calls \(otherShown) \(choice)",
                    fix: "select the same environment in both, from the same files")
            }
        }
    }
}
