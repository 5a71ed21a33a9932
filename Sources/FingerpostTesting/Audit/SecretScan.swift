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

    /// In the order of their lines.
    func matches(in data: Data) -> [Match] {
        var seen: Set<Match> = []
        return (known(in: data) + Self.issued(in: data)).filter { seen.insert($0).inserted }
            .enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    }

    private func known(in data: Data) -> [Match] {
        data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().flatMap {
            index, line in
            let bytes = Array(line)
            var kinds = SecretShape.known.filter { $0.isFound(in: bytes) }.map(\.kind)
            for (environment, redactor) in redactors {
                kinds += redactor.matches(in: bytes).compactMap(\.key).map {
                    "the secret \"\($0)\" of the environment \(environment)"
                }
            }
            return kinds.map { Match(line: index + 1, kind: $0) }
        }
    }

    /// What looks as if a server had issued it, under a name that says so.
    private static func issued(in data: Data) -> [Match] {
        // What is no JSON has no names.
        guard let root = try? JSONReader.read(data, keepsEveryDigit: false) else { return [] }
        var names = IssuedSecrets()
        var found: [(name: String, offset: Int)] = []
        func look(at node: Node, _ place: IssuedSecrets.Place, named name: String) {
            switch node.value {
            case .array(let elements): for element in elements { look(at: element, place, named: name) }
            case .dictionary(let entries):
                for entry in entries { look(at: entry.node, names.place(of: entry.key, in: place), named: entry.key) }
            case .string(let text) where place != .anywhere && IssuedSecrets.isReal(text):
                found.append((name, node.offset ?? 0))
            default: return
            }
        }
        look(at: root, .anywhere, named: "")
        if found.isEmpty { return [] }
        let lines = LineIndex(data)
        return found.map {
            Match(
                line: lines.position(of: $0.offset).line, kind: "what looks like an issued secret, under \"\($0.name)\""
            )
        }
    }
}
