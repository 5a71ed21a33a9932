import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles

/// Warns about credentials of a known format in committed environment files, which everybody can read. Values that
/// `$secrets` lists are errors already.
enum CommittedSecretCheck {
    static func problems(of schema: EnvironmentSchema) -> [FileProblem] {
        // Environments share files, and of problems that read the same one is kept.
        schema.targets.flatMap { target in
            target.layers.committedDocuments.flatMap { problems(in: $0, target.layers.rules.secrets) }
        }.inOrder
    }

    private static func problems(in document: Document, _ secrets: Set<String>) -> [FileProblem] {
        var problems: [FileProblem] = []
        func report(_ text: String, _ offset: Int?, as name: String) -> Bool {
            guard let kind = SecretShape.found(in: Array(text.utf8)).first?.kind else { return false }
            problems.append(
                document.problem(
                    at: offset, "\(name) looks like \(kind)",
                    fix: "list it in \"$secrets\", and put the value in a secrets file"
                ).with(.warning))
            return true
        }
        document.root.visit("") { node, entry, parent -> String? in
            let path = entry.map { Setting.path(of: $0.key, in: parent) } ?? parent
            // No message shows a key that is a credential.
            if let entry, secrets.covers(path) || report(entry.key, entry.keyOffset, as: "a key") { return nil }
            if let text = node.string { _ = report(text, node.offset, as: "\"\(path)\"") }
            return path
        }
        return problems
    }
}
