import FingerpostBuilding
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// Checks the environment that a process of a build selects: whether mocks or servers answer calls, which servers
/// receive calls, and whether secrets have values on a user's device.
struct SelectedEnvironmentCheck {
    private let selected: SelectedEnvironment
    private let build: Build
    private let options: VerifyOptions
    private(set) var findings: [FileProblem] = []

    init(_ selected: SelectedEnvironment, in build: Build, _ options: VerifyOptions) {
        self.selected = selected
        self.build = build
        self.options = options
        // No secrets are read, because `checkSecrets` reports the secrets missing on users' devices.
        let committed = selected.folder.load(selected.name, readsSecrets: false, parser: BuildParser.self)
        for problem in committed.problems { report(.environment, problem) }
        checkNetwork()
        // A sealed environment sends nothing to servers, needs no secrets, and does not allow switching.
        if layers.isSealed { return }
        checkSwitchable()
        checkURLs()
        checkSecrets()
        checkEmptyTexts()
    }

    private var layers: LayeredEnvironment { selected.layers }
    private var name: String { selected.name }

    private mutating func report(_ kind: FileProblem.Kind, _ problem: FileProblem) {
        findings.append(build.files.shown(problem, in: selected.folder.url).of(kind))
    }

    // MARK: Network

    private mutating func checkNetwork() {
        let place = (layers["$network"] ?? layers["description"])?.source ?? layers.root.source
        func report(_ message: String, fix: String) { self.report(.sealed, place.problem(message, fix: fix)) }
        let start = "\(selected.part.path) selects \(name), \(selected.rule), and \(name) is "
        if layers.network == .mocksThenLive {
            report(
                "\(name) sets \"$network\" to \"mocksThenLive\", which is for development: what a user sees could come "
                    + "from a file", fix: "remove \"$network\" from what you ship")
        } else if layers.isSealed, !options.allowsMocks {
            report(
                "\(start)sealed: no call reaches a server, and users see test data",
                fix: "select the environment for users; for a demo, pass --allow-mocks")
        } else if layers.isSealed, !layers.isSealedByNetwork {
            report(
                "\(name) is sealed by its description alone, and release builds answer from mocks only if the file sets "
                    + "\"$network\"", fix: "add \"$network\": \"sealed\" to its file")
        } else if !layers.isSealed, layers.isTesting || name == LayeredEnvironment.sealedDescription,
            options.environment != name
        {
            report(
                "\(start)for tests", fix: "select the environment for users, or pass --environment \(name)")
        }
    }

    /// Reports that users can switch to any environment of the build.
    private mutating func checkSwitchable() {
        guard layers.isSwitchable, !options.allowsSwitching, let setting = layers["$switchable"] else { return }
        report(
            .selection,
            setting.source.problem(
                "\(name) sets \"$switchable\" to true, so the app can switch to every environment in the build",
                fix: "remove \"$switchable\" from what you ship; for a build for testers, pass --allow-switching"))
    }

    // MARK: Servers

    private mutating func checkURLs() {
        layers.root.forEachLeaf { path, setting in
            for text in setting.node.string.map({ [$0] }) ?? setting.node.texts.map(\.text) {
                checkURL(text, path(), setting)
            }
        }
    }

    private mutating func checkURL(_ text: String, _ path: String, _ setting: Setting) {
        // Skip variables that the build did not replace, because the library reports them.
        guard !text.holdsVariable, let url = URLText.url(text), let host = url.host, !host.isEmpty,
            let scheme = url.scheme?.lowercased(), ["http", "https", "ws", "wss"].contains(scheme)
        else { return }
        let start = "\"\(path)\" is \(layers.shown(.string(text), at: path)), which "
        // A URL under another key may be a link that the app only displays.
        let severity = BaseURLKey.isNamed(path) ? FileProblem.Severity.error : .warning
        if let objection = HostKind.objection(to: host) {
            let problem = setting.source.problem(
                "\(start)users cannot reach: the host is \(objection)",
                fix: "write the host of the server that \(name) is for")
            report(.unreachable, problem.with(severity))
        } else if scheme == "http" || scheme == "ws" {
            let problem = setting.source.problem(
                "\(start)is not encrypted", fix: "write \(scheme == "ws" ? "wss" : "https")://")
            // An app that calls such a host on purpose declares it in Info.plist.
            let isAllowed = selected.part.info["NSAppTransportSecurity"] != nil
            report(.insecure, problem.with(isAllowed ? .warning : severity))
        }
    }

    // MARK: Secrets and texts

    private mutating func checkSecrets() {
        let exempt = layers.rules.optional.union(layers.rules.provided)
        // Whoever starts a server or a tool can set environment variables. Users of an app cannot set them.
        let isProgram = selected.part.kind == .executable
        for path in layers.rules.secrets.sorted() where !exempt.contains(path) {
            guard let setting = layers.root[path: path], setting.value.isNull || setting.node.string?.isEmpty == true
            else {
                continue
            }
            let problem = setting.source.problem(
                "the secret \"\(path)\" has "
                    + (isProgram
                        ? "a value only if the environment variable \(EnvironmentVariables.name(for: path)) is set"
                        : "no value on a user's device, so \(name) does not load there, and all calls fail"),
                fix: isProgram
                    ? "set it where the program runs, or list the key in \"$optional\" too"
                    : "list it in \"$provided\" too, and give its value with APIEnvironment.bootstrap(secrets:); a value "
                        + "that may become public need not be a secret")
            report(.missingSecret, problem.with(isProgram ? .warning : .error))
        }
    }

    /// Reports texts that are empty in this environment, but have a value in another environment.
    private mutating func checkEmptyTexts() {
        let others = EnvironmentSchema(selected.folder, parser: BuildParser.self).targets.filter { $0.name != name }
        layers.root.forEachLeaf { path, setting in
            let path = path()
            guard setting.node.string?.isEmpty == true, !layers.rules.optional.contains(path), !layers.isSecret(path),
                let other = others.first(where: { $0.layers.root[path: path]?.node.string?.isEmpty == false })
            else { return }
            report(
                .environment,
                setting.source.problem(
                    "\"\(path)\" is empty, but has a value in \(other.name)",
                    fix: "give it a value in \(name), or list it in \"$optional\" and leave it out"))
        }
    }
}

/// Finds hosts that only developers can reach.
enum HostKind {
    /// Returns the reason why users cannot reach a host, or nil for a public host. In messages, the reason follows "the
    /// host is".
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
