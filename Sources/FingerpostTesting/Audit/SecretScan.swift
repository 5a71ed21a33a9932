import Fingerpost
import FingerpostFiles
import Foundation

/// Finds credentials in text: the secrets of environments by their values, others by their looks.
struct SecretScan: Sendable {
    struct Match: Hashable, Sendable {
        /// 1-based.
        let line: Int
        /// What it is, with its article. Never the value.
        let kind: String
    }

    private let redactors: [(environment: String, redactor: SecretRedactor)]

    init(_ environments: [Environment]) {
        redactors = environments.map { ($0.name, SecretRedactor($0)) }
    }

    /// The environments of a folder, those that cannot be read left out: what is wrong with them is told elsewhere.
    init(environmentsIn folder: EnvironmentFolder) {
        self.init(folder.targets.compactMap { try? Environment.load($0, from: folder.url) })
    }

    func matches(in data: Data) -> [Match] {
        var matches: [Match] = []
        var seen: Set<Match> = []
        for (index, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let bytes = Array(line)
            var kinds = SecretShape.known.filter { $0.isFound(in: bytes) }.map(\.kind)
            for (environment, redactor) in redactors {
                kinds += redactor.matches(in: bytes).compactMap(\.key).map {
                    "the secret \"\($0)\" of the environment \(environment)"
                }
            }
            for kind in kinds {
                let match = Match(line: index + 1, kind: kind)
                if seen.insert(match).inserted { matches.append(match) }
            }
        }
        return matches
    }
}
