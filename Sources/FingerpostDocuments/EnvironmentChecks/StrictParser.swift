package import FingerpostFiles
import Foundation

/// The parser of tests, debug builds and tools. Code that must read files strictly in every process uses this parser
/// directly.
package let strictParser: any StrictParsing.Type = StrictParser.self

/// `FingerpostFiles` finds this class by its name: do not rename it.
final class StrictParser: StrictParsing {
    private init() {}

    static func read(
        _ data: Data, path: String, _ kind: Document.Kind
    ) throws(FileProblem) -> Document {
        path.ends(with: ".plist")
            ? try Document(propertyList: data, path: path, quotesText: kind == .file)
            : try Document(json: data, path: path, keepsEveryDigit: kind != .body, quotesText: kind != .secrets)
    }

    static func problems(in environment: LayeredEnvironment) -> [FileProblem] {
        EnvironmentCheck.problems(of: environment)
    }

    /// Returns the names in `$secrets` that belong to no key, but are similar to a key that is not secret. Each name is
    /// probably a misspelling of that key, so messages would show a value that should be secret.
    static func typos(in names: [String], of environment: LayeredEnvironment) -> Set<String> {
        let hints = NameHints()
        lazy var plain = environment.paths.filter { !environment.rules.secrets.covers($0) }
        return Set(
            names.filter { name in
                if environment.root[path: name] != nil { return false }
                // If there are too many names, the search is skipped, and each name that belongs to no key counts as
                // misspelled.
                guard case .some(.none) = hints.look({ NearestName.find(name, in: plain) }) else { return true }
                return false
            })
    }
}
