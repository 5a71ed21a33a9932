package import Foundation

/// Reads and checks files for development. These readers know the line of each value, and accept nothing that other
/// readers refuse. Tests, debug builds, tools and apps with mocks contain one; an app on the product `FingerpostCore`
/// does not.
package protocol StrictParsing: Sendable {
    /// Reads a text strictly. The path of a property list ends in `.plist`.
    static func read(_ data: Data, path: String, _ kind: Document.Kind) throws(FileProblem) -> Document

    /// The problems of an environment's files that no app looks for.
    static func problems(in environment: LayeredEnvironment) -> [FileProblem]

    /// The names of secrets that no layer contains and that are probably typos, whose keys would be shown.
    static func typos(in names: [String], of environment: LayeredEnvironment) -> Set<String>

    /// The problem with the value of any key, as the next part of a sentence.
    ///
    /// - Parameter placeholder: returns what is shown instead of a secret value.
    static func problem(of value: Node.Value, placeholder: () -> String?) -> FileProblem?

    /// The problem with text that should be a URL and is none, as the next part of a sentence.
    ///
    /// - Parameter placeholder: what is shown instead of a secret text.
    static func problem(ofURL text: String, placeholder: String?) -> FileProblem
}

/// The strict parser of this process.
package enum LinkedParser {
    private static let linked = LinkedClass<any StrictParsing.Type>("FingerpostDocuments.StrictParser")

    /// True for a test of what an app without the strict parser does.
    @TaskLocal static var isHidden = false

    /// nil if the process contains none.
    package static var value: (any StrictParsing.Type)? { isHidden ? nil : linked.value }
}

extension Document {
    /// Reads a text with the strict readers, or with Foundation if there are no strict readers.
    package convenience init(
        reading data: Data, path: String, _ kind: Kind = .file, parser: (any StrictParsing.Type)? = LinkedParser.value
    ) throws(FileProblem) {
        let read =
            if let parser { try parser.read(data, path: path, kind) } else {
                try FoundationReader.read(data, path: path, kind)
            }
        self.init(path: path, root: read.root, position: read.position)
    }

    /// Reads JSON only to inspect its values: numbers that do not fit in 64 bits lose digits.
    ///
    /// - Returns: nil when the text is not valid JSON.
    package static func inspect(_ data: Data) -> Node? {
        // Callers only look for values, so the problem of an invalid text does not matter.
        try? Document(reading: data, path: "", .body).root
    }
}
