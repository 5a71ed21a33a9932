import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The output of `fingerpost-cli explain`, which shows the files and layers from which a key gets its value. The output
/// covers one environment or all environments.
struct KeyExplanation: Sendable {
    /// One explanation per environment.
    let text: String
    /// False if no environment contains the key.
    let isKnown: Bool

    /// - Parameters:
    ///   - key: the dotted path of the key.
    ///   - target: the name of an environment; nil for all environments.
    ///   - root: the folder that contains `Environments`.
    ///   - variables: the environment variables; by default, the variables of the current process.
    /// - Throws: an error if the folder cannot be read or does not contain the environment.
    init(
        _ key: String, in target: String?, below root: URL,
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(FileProblem) {
        let url = root.appendingPathComponent(EnvironmentFolder.name)
        guard try url.isExistingFolder() else {
            throw FileProblem(
                path: FilePath.display(url), message: "the folder does not exist",
                fix: "pass the folder that contains it with --path")
        }
        let folder = try EnvironmentFolder(url: url)
        let targets = folder.targets
        if let target, !targets.contains(target) {
            throw FileProblem(
                path: FilePath.display(folder.url),
                message: "there is no environment \"\(target)\"" + folder.hint(for: target),
                fix: "use one of \(targets.joined(separator: ", "))")
        }
        let explanations = (target.map { [$0] } ?? targets).map { name in
            let layers = folder.load(name, variables: variables, parser: strictParser)
            return (name: name, explanation: layers.explanation(of: key), isKnown: layers[key] != nil)
        }
        isKnown = explanations.contains(where: \.isKnown)
        // If all environments lack the key for the same reason, the explanation is printed once.
        let texts = Set(explanations.map(\.explanation))
        text =
            !isKnown && texts.count == 1
            ? "\(explanations.map(\.name).joined(separator: ", ")): \(explanations[0].explanation)"
            : explanations.map { "\($0.name): \($0.explanation)" }.joined(separator: "\n")
    }
}
