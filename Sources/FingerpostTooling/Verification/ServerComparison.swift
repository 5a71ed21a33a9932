import FingerpostBuilding
import FingerpostFiles
import Foundation

/// Compares the servers of an environment with the servers of other environments, and with the servers of other parts
/// of a build.
enum ServerComparison {
    private typealias Server = SelectedEnvironment.Server

    // MARK: Environments

    /// Reports base URLs that the selected environment shares with another environment.
    ///
    /// Environments often share a service, such as the login service. Some shared servers are mistakes: the default
    /// server of clients, all servers, or a server whose host contains the name of the other environment.
    ///
    /// - Parameter others: the other environments, in the build and in the source.
    static func findings(
        _ selected: SelectedEnvironment, in build: Build, others: [LayeredEnvironment]
    ) -> [FileProblem] {
        let own = selected.servers
        var seen: Set<String> = []
        return others.filter { $0.name != selected.name && !$0.isSealed }.flatMap { other -> [FileProblem] in
            let known = Set(other.servers.map(\.authority))
            // A name of the app or the company may be in the hosts of all environments.
            let isCommon =
                build.parts.contains { $0.isNamed(other.name) }
                || own.contains { $0.isMain && $0.names(other.name) && !known.contains($0.authority) }
            let shared = own.compactMap { server in
                let isNamed = !isCommon && server.names(other.name)
                return match(server, other, selected, isNamed).map { (server: server, match: $0, isNamed: isNamed) }
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

    /// Returns the same server in the other environment, or nil if the other environment lacks the server.
    private static func match(
        _ own: Server, _ other: LayeredEnvironment, _ selected: SelectedEnvironment, _ isNamed: Bool
    ) -> Server? {
        // Different paths on one host may be different servers.
        let same = other.servers.filter {
            $0.authority == own.authority && (isNamed || $0.path == own.path && ($0.isMain || $0.key == own.key))
        }
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
        // An environment that only code reads is compared only if it has the same name.
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
            let same = hasSame ? environment.folder.load(first.name, parser: BuildParser.self).servers : []
            return environment.servers.compactMap { server in
                guard let expected = (first.servers + same).first(where: { $0.key == server.key }),
                    expected.authority != server.authority || !isOwn && expected.path != server.path
                else { return nil }
                return problem(
                    "\(start)calls \(server.shown), \(other), whose \"\(server.key)\" is \(expected.shown) in "
                        + "\(expected.setting.source)")
            }
        }
    }
}

/// Finds hosts that only developers can reach.
enum HostKind {
    /// Returns the reason why users cannot reach a host, or nil for a public host. The reason follows the words "which
    /// is" in a sentence.
    static func objection(to host: String) -> String? {
        if let address = URLText.address(of: host) { return objection(to: address) }
        let name = host.lowercased()
        let labels = (name.ends(with: ".") ? name.withoutEnd(".") : name).parts(between: ".").map(String.init)
        guard let top = labels.last, !top.isEmpty else { return nil }
        if let reserved = reserved[top] ?? reserved[labels.suffix(2).joined(separator: ".")] { return reserved }
        return labels.count == 1 ? "a name without a domain, which only a local network knows" : nil
    }

    private static let device = "the device that the app runs on"
    private static let localName = "a name that only a local network knows"
    private static let documentation = "a name that is reserved for documentation (RFC 2606)"

    private static let reserved = [
        "localhost": device, "local": localName, "internal": localName, "home.arpa": localName,
        "test": "a name that is reserved for tests (RFC 6761)",
        "invalid": "a name that never leads to a server (RFC 6761)",
        "example": documentation, "example.com": documentation, "example.net": documentation,
        "example.org": documentation,
    ]

    /// - Parameter address: 4 or 16 bytes.
    private static func objection(to address: [UInt8]) -> String? {
        if address.dropLast().allSatisfy({ $0 == 0 }) { return device }
        let isIPv4 = address.count == 4
        return switch (address[0], address[1]) {
        case (0, _) where isIPv4, (127, _) where isIPv4: device
        case (10, _) where isIPv4, (172, 16...31) where isIPv4, (192, 168) where isIPv4, (169, 254) where isIPv4,
            (0xFC...0xFD, _) where !isIPv4, (0xFE, 0x80...0xFF) where !isIPv4:
            "an address of a private network"
        default: nil
        }
    }
}
