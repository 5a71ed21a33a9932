import Fingerpost
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// Finds credentials in files. The environments' secrets are found by their values, and others by their format.
struct SecretScan: Sendable {
    struct Match: Hashable, Sendable {
        /// The number of the line that contains the credential, 1-based.
        let line: Int
        /// The kind of credential, with an article: `a GitHub token`. This text never contains the credential itself.
        let kind: String
    }

    private let redactor: SecretRedactor
    /// Finds the same secrets, and shows their kind.
    private let scanner: SecretScanner

    init(_ environments: [Environment]) {
        redactor = SecretRedactor(secrets: environments.flatMap(\.layers.secretTexts))
        let values = environments.flatMap { environment in
            environment.layers.secretTexts.map { key, text in
                SecretScanner.Value(text, shown: "the secret \"\(key)\" of the environment \(environment.name)")
            }
        }
        scanner = SecretScanner(
            values.filter { $0.text.utf8.count >= CallSecrets.minimumLength }, limit: .max, more: SecretRedactor.more)
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
    func shown(_ text: String) -> String { redactor.shown(text) }

    /// Returns the credentials in the text, sorted by line, with each kind at most once per line.
    func matches(in data: Data) -> [Match] {
        let text = [UInt8](data)
        let found =
            SecretShape.found(in: text).map { ($0.range.lowerBound, $0.kind) }
            + text.withUnsafeBytes { scanner.places(in: $0) }.map { ($0.range.lowerBound, $0.value.shown) }
        if found.isEmpty { return [] }
        let lines = LineIndex(text)
        var seen: Set<Match> = []
        return found.sorted { $0.0 < $1.0 }.map { Match(line: lines.position(of: $0.0).line, kind: $0.1) }
            .filter { seen.insert($0).inserted }
    }
}
