import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The parser for files of a build, which also reads binary property lists on all platforms: Xcode writes them, and
/// people verify its builds on Linux.
enum BuildParser: StrictParsing {
    static func read(_ data: Data, path: String, _ kind: Document.Kind) throws(FileProblem) -> Document {
        guard path.ends(with: ".plist"), data.starts(with: PropertyListBinary.signature) else {
            return try StrictParser.read(data, path: path, kind)
        }
        do throws(FileProblem) {
            return Document(path: path, root: try PropertyListBinary.read([UInt8](data)))
        } catch {
            throw error.located(in: path)
        }
    }

    static func problems(in environment: LayeredEnvironment) -> [FileProblem] {
        StrictParser.problems(in: environment)
    }

    static func typos(in names: [String], of environment: LayeredEnvironment) -> Set<String> {
        StrictParser.typos(in: names, of: environment)
    }

    static func problem(of value: Node.Value, placeholder: () -> String?) -> FileProblem? {
        StrictParser.problem(of: value, placeholder: placeholder)
    }

    static func problem(ofURL text: String, placeholder: String?) -> FileProblem {
        StrictParser.problem(ofURL: text, placeholder: placeholder)
    }
}
