import FingerpostBuilding
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The environment that a process of a build selects on a user's device, where the process has only the files of the
/// build.
struct SelectedEnvironment {
    let part: BuildPart
    let folder: EnvironmentFolder
    let layers: LayeredEnvironment
    /// A description of the rule that selects the environment, for the end of a sentence.
    let rule: String

    /// The base URLs, sorted by their keys.
    let servers: [Server]

    var name: String { layers.name }

    init(_ name: String, of part: BuildPart, in folder: EnvironmentFolder, rule: String) {
        self.part = part
        self.folder = folder
        self.rule = rule
        layers = folder.load(name, parser: BuildParser.self)
        servers = layers.servers()
    }

    /// One base URL of an environment.
    struct Server {
        let key: String
        let setting: Setting
        /// The URL in the form that messages show.
        let shown: String
        /// The host and the port in a normalized form.
        let authority: String
        /// The path in a normalized form.
        let path: String
        /// True for the server that clients call by default.
        var isMain: Bool { key == BaseURLKey.standard }
        /// Returns true if the host contains the name of an environment, such as `staging` in `staging-api.acme.com`.
        func names(_ environment: String) -> Bool {
            authority.words(between: ".-:_").contains { $0 == environment.lowercased() }
        }
        /// The environment whose file contains the URL. Nil if no file contains the URL.
        var owner: String? {
            EnvironmentFile(url: URL(fileURLWithPath: setting.source.document.path))?.target
        }
    }
}

extension LayeredEnvironment {
    /// Returns the base URLs, sorted by their keys.
    func servers() -> [SelectedEnvironment.Server] {
        var servers: [SelectedEnvironment.Server] = []
        root.forEachLeaf { path, setting in
            let path = path()
            guard BaseURLKey.isNamed(path), let text = setting.node.string,
                let authority = URLText.authority(of: text)
            else { return }
            servers.append(
                SelectedEnvironment.Server(
                    key: path, setting: setting, shown: shown(.string(text), at: path), authority: authority,
                    path: (URLText.url(text)?.path.words(between: "/") ?? []).joined(separator: "/")))
        }
        return servers
    }
}
