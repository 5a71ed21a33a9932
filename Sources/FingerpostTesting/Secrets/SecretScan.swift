import Fingerpost
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// Finds credentials in text. The environments' secrets are found by their values, and all other credentials by their
/// format. A long random string counts as a credential only under a JSON key that names a secret.
struct SecretScan: Sendable {
    struct Match: Hashable, Sendable {
        /// The number of the line that contains the credential, 1-based.
        let line: Int
        /// The kind of credential, with an article: `a GitHub token`. This text never contains the credential itself.
        let kind: String
    }

    private let redactors: [(environment: String, redactor: SecretRedactor)]

    init(_ environments: [Environment]) {
        redactors = environments.map { ($0.name, SecretRedactor($0)) }
    }

    /// Loads the environments from a folder. Environments that cannot be loaded are skipped, because a separate check
    /// reports the errors of environments.
    init(environmentsIn folder: EnvironmentFolder) {
        self.init(folder.targets.compactMap { try? Environment.load($0, from: folder.url) })
    }

    /// Loads the environments from the folder beside a mocks folder, or else from the folder that the client finds.
    init(besideMocksIn folder: URL) {
        // If the environments folder cannot be read, a separate check of the environments reports the error.
        let url = try? EnvironmentFolder.url(besideMocksIn: folder)
        let environments = url.flatMap { try? EnvironmentFolder(url: $0) }
        if let environments { self.init(environmentsIn: environments) } else { self.init([]) }
    }

    /// Returns text as it may be shown to people: see `SecretRedactor.shown(_:)`.
    func shown(_ text: String) -> String {
        SecretRedactor().shown(redactors.reduce(text) { $1.redactor.redact($0) })
    }

    /// Returns the credentials in the text, sorted by line, with each kind at most once per line.
    func matches(in data: Data) -> [Match] {
        let text = [UInt8](data)
        let found =
            SecretShape.found(in: text).map { ($0.range.lowerBound, $0.kind) } + Self.issued(in: data)
            + redactors.flatMap { environment, redactor in
                redactor.matches(in: text).compactMap { match in
                    match.key.map { (match.range.lowerBound, "the secret \"\($0)\" of the environment \(environment)") }
                }
            }
        if found.isEmpty { return [] }
        let lines = LineIndex(text)
        var seen: Set<Match> = []
        return found.sorted { $0.offset < $1.offset }
            .map { Match(line: lines.position(of: $0.offset).line, kind: $0.kind) }
            .filter { seen.insert($0).inserted }
    }

    /// Returns the long random JSON strings whose key names a secret.
    private static func issued(in data: Data) -> [(offset: Int, kind: String)] {
        // Text that is not JSON has no keys to check.
        guard let root = JSONReader.inspect(data) else { return [] }
        var names = IssuedSecretRule()
        var found: [(offset: Int, kind: String)] = []
        root.visit((place: IssuedSecretRule.Place.anywhere, name: "")) { node, entry, container in
            let place = entry.map { names.place(of: $0.key, in: container.place) } ?? container.place
            let name = entry?.key ?? container.name
            if place != .anywhere, let text = node.string, Credentials.looksIssued(text) {
                found.append((node.offset ?? 0, "a value under \"\(name)\" that looks like an issued secret"))
            }
            return (place, name)
        }
        return found
    }
}
