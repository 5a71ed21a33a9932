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

    private let environments: [Environment]

    init(_ environments: [Environment]) {
        self.environments = environments
    }

    /// The environments of a folder, those that cannot be read left out: what is wrong with them is told elsewhere.
    init(environmentsIn folder: EnvironmentFolder) {
        self.init(folder.targets.compactMap { try? Environment.load($0, from: folder.url) })
    }

    func matches(in data: Data) -> [Match] {
        let redactors = environments.map { ($0.name, SecretRedactor($0)) }
        var matches: [Match] = []
        var seen: Set<Match> = []
        for (index, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let bytes = Array(line)
            var kinds = SecretShape.known.filter { $0.isFound(in: bytes) }.map(\.kind)
            let text = String(decoding: line, as: UTF8.self)
            for (environment, redactor) in redactors {
                kinds += Self.keys(in: redactor.redact(text), before: text).map {
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

    /// The keys of the secrets that were taken out of a text.
    private static func keys(in redacted: String, before text: String) -> [String] {
        if redacted == text { return [] }
        let opening = "<secret "
        return redacted.components(separatedBy: opening).dropFirst().compactMap { part in
            let key = part.prefix { $0 != ">" }
            // What stood there before is no secret.
            return text.contains("\(opening)\(key)>") ? nil : String(key)
        }
    }
}
