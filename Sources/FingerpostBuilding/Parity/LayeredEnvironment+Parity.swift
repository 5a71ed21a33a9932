import FingerpostDocuments
package import FingerpostFiles

extension LayeredEnvironment {
    /// False when a file, or a reserved key that adds or removes keys, could not be read. The environment then lacks
    /// keys that it has once the file is correct, so a comparison with other environments would report them falsely.
    package var isComparable: Bool {
        if isIncomplete { return false }
        // The lowest layer above `Base` extends an environment that is missing or that extends this one in turn.
        let lowest = committedDocuments.first { $0.environment != EnvironmentFolder.base }
        let parent = lowest?[.extends]?.string ?? EnvironmentFolder.base
        return parent == EnvironmentFolder.base
            && layers.allSatisfy { document, origin in
                (document.root.entries ?? []).allSatisfy {
                    $0.isReadable(in: document, isSecretsFile: origin == .secrets)
                }
            }
    }

    /// True for a value of the environment's own committed file, instead of one that it inherits.
    func isOwn(_ setting: Setting) -> Bool {
        committedDocuments.last === setting.source.document
    }
}

extension Node.Entry {
    /// False for an unknown reserved key, and for an invalid value of one that decides which keys an environment has.
    fileprivate func isReadable(in document: Document, isSecretsFile: Bool) -> Bool {
        guard key.utf8.first == UInt8(ascii: "$") else { return true }
        return switch EnvironmentRules.Key(rawValue: key) {
        case nil: false
        case .secrets?: EnvironmentRules.Key.secrets.problems(of: self, in: document).isEmpty
        case let key? where [.optional, .extends, .unset].contains(key) && !isSecretsFile:
            key.problems(of: self, in: document).isEmpty
        default: true
        }
    }
}
