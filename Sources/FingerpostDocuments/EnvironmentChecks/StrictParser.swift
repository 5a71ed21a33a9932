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

    static func typos(in names: [String], of environment: LayeredEnvironment) -> Set<String> {
        EnvironmentCheck.typos(in: names, of: environment)
    }

    static func problem(of value: Node.Value, placeholder: () -> String?) -> FileProblem? {
        ValueCheck.problem(of: value, placeholder: placeholder)
    }

    static func problem(ofURL text: String, placeholder: String?) -> FileProblem {
        URLCheck.problem(of: text, placeholder: placeholder)
    }
}
