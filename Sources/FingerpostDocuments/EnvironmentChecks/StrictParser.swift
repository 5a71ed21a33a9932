package import FingerpostFiles
package import Foundation

/// The parser of tests, debug builds and tools. `FingerpostFiles` finds this class by its name: do not rename it.
package final class StrictParser: StrictParsing {
    private init() {}

    package static func read(
        _ data: Data, path: String, _ kind: Document.Kind
    ) throws(FileProblem) -> Document {
        path.ends(with: ".plist")
            ? try Document(propertyList: data, path: path, quotesText: kind == .file)
            : try Document(json: data, path: path, keepsEveryDigit: kind != .body, quotesText: kind != .secrets)
    }

    package static func problems(in environment: LayeredEnvironment) -> [FileProblem] {
        EnvironmentCheck.problems(of: environment)
    }

    package static func typos(in names: [String], of environment: LayeredEnvironment) -> Set<String> {
        EnvironmentCheck.typos(in: names, of: environment)
    }

    package static func problem(of value: Node.Value, placeholder: () -> String?) -> FileProblem? {
        ValueCheck.problem(of: value, placeholder: placeholder)
    }

    package static func problem(ofURL text: String, placeholder: String?) -> FileProblem {
        URLCheck.problem(of: text, placeholder: placeholder)
    }
}
