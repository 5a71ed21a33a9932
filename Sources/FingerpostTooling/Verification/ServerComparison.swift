import FingerpostBuilding
import FingerpostFiles
import Foundation

/// Compares an environment's servers with those of other environments, and with those that a build's other parts call.
enum ServerComparison {
    private typealias Server = SelectedEnvironment.Server

    // MARK: Environments

    /// Reports base URLs that the selected environment shares with another environment.
    ///
    /// Environments often share a service, such as the login service. A shared server is reported only if it is the
    /// default server of clients, if all servers are shared, or if the host contains the name of the other environment.
    ///
    /// - Parameter others: the other environments, in the build and in the source.
    static func findings(
        _ selected: SelectedEnvironment, in build: Build, others: [LayeredEnvironment]
    ) -> [FileProblem] {
        let own = selected.servers
        var seen: Set<String> = []
        return others.filter { $0.name != selected.name && !$0.isSealed }.flatMap { other -> [FileProblem] in
            let known = Dictionary(grouping: other.servers(), by: \.authority)
            // The name of the other environment may also be the name of the app or the company. The hosts of all
            // environments contain such a name.
            let isCommon =
                build.parts.contains { $0.isNamed(other.name) }
                || own.contains { $0.isMain && $0.names(other.name) && known[$0.authority] == nil }
            let shared = own.compactMap { server in
                let isNamed = !isCommon && server.names(other.name)
                return match(server, known[server.authority] ?? [], of: other, selected, isNamed)
                    .map { (server: server, match: $0, isNamed: isNamed) }
            }
            return shared.filter { server, match, isNamed in
                (server.isMain || match.isMain || isNamed || shared.count == own.count)
                    && seen.insert("\(server.key) \(other.name)").inserted
            }.map { server, match, _ in
                let problem = server.setting.source.problem(
                    "\(selected.name) calls the server of \(other.name): \"\(server.key)\" is \(server.shown), "
                        + "\(server.owner == other.name ? "inherited from" : "as in") \(match.setting.source)",
                    fix: "write the host of \(selected.name); if both call this server on purpose, "
                        + "write it once, in \(EnvironmentFolder.base)\(EnvironmentFile.suffix)")
                return build.files.shown(problem, in: selected.folder.url).of(.otherServer)
            }
        }
    }

    /// Returns the other environment's entry for the same server. Returns nil if there is no such entry, or if the
    /// environments may share it because both take it from one file.
    ///
    /// - Parameter entries: the other environment's entries with the same host and port.
    private static func match(
        _ own: Server, _ entries: [Server], of other: LayeredEnvironment, _ selected: SelectedEnvironment,
        _ isNamed: Bool
    ) -> Server? {
        // Different paths on one host may belong to different servers.
        let same = entries.filter { isNamed || $0.path == own.path && ($0.isMain || $0.key == own.key) }
        guard let match = same.first(where: { $0.key == own.key }) ?? same.first else { return nil }
        guard let owner = own.owner, owner == match.owner else { return match }
        // A variant such as `StagingEU` may inherit the server of `Staging`.
        let isVariant = selected.name.lowercased().contains(bytesOf: other.name.lowercased())
        return owner == other.name && isNamed && !isVariant ? match : nil
    }

    // MARK: Parts

    /// Reports the parts of a build whose servers differ from the servers of the first part.
    ///
    /// If the name of the environment is the name of a part, such as `Widget`, the part may have other services and
    /// paths.
    static func disagreements(_ selected: [SelectedEnvironment]) -> [FileProblem] {
        guard let first = selected.first else { return [] }
        // An environment that only code reads is compared only if it has the name of the first part's environment.
        return selected.dropFirst().filter { $0.part.kind.isProcess || $0.name == first.name }.flatMap { environment in
            let start = "\(environment.part.path) selects \(environment.name) and "
            let other = "but \(first.part.path) selects \(first.name)"
            func problem(_ message: String) -> FileProblem {
                FileProblem(
                    .disagreement, environment.part.path, message,
                    fix: "select the same environment in both, from the same files")
            }
            let isSealed = environment.layers.isSealed
            if isSealed != first.layers.isSealed {
                return [problem("\(start)\(isSealed ? "shows test data" : "calls servers"), \(other), which does not")]
            }
            let isOther = environment.name != first.name
            let isOwn = isOther && environment.part.isNamed(environment.name)
            // This part's folder may contain the first part's environment. The servers of that environment are compared
            // too.
            let hasSame = isOther && !isOwn && environment.folder.targets.contains(first.name)
            let same = hasSame ? environment.folder.load(first.name, parser: BuildParser.self).servers() : []
            let expected = Dictionary(grouping: first.servers + same, by: \.key)
            return environment.servers.compactMap { server in
                guard let expected = expected[server.key]?.first,
                    expected.authority != server.authority || !isOwn && expected.path != server.path
                else { return nil }
                return problem(
                    "\(start)calls \(server.shown), \(other), whose \"\(server.key)\" is \(expected.shown) in "
                        + "\(expected.setting.source)")
            }
        }
    }
}
