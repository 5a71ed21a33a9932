package import Foundation

/// Reads and checks files for development. The strict readers record the line of each value, and refuse every file that
/// other readers refuse. Tests, debug builds, tools and apps with mocks contain a strict parser. An app that uses only
/// the product `FingerpostCore` contains no strict parser.
package protocol StrictParsing: Sendable {
    /// Reads a text strictly. The path of a property list ends in `.plist`.
    static func read(_ data: Data, path: String, _ kind: Document.Kind) throws(FileProblem) -> Document

    /// Returns the problems in an environment's files that only the strict parser searches for.
    static func problems(in environment: LayeredEnvironment) -> [FileProblem]

    /// Returns the names of secrets that no layer contains and that are probably misspelled. If a name is misspelled,
    /// messages show the value of the correctly spelled key.
    static func typos(in names: [String], of environment: LayeredEnvironment) -> Set<String>

    /// Returns the problem with the value of any key. The message continues a sentence that starts with the key's name.
    ///
    /// - Parameter placeholder: returns the text that is shown instead of a secret.
    static func problem(of value: Node.Value, placeholder: () -> String?) -> FileProblem?

    /// Returns the problem with text that should be a URL but is not. The message continues a sentence that starts with
    /// the key's name.
    ///
    /// - Parameter placeholder: the text that is shown instead of a secret.
    static func problem(ofURL text: String, placeholder: String?) -> FileProblem
}

/// The strict parser of this process.
package enum LinkedParser {
    private static let linked = LinkedClass<any StrictParsing.Type>("FingerpostDocuments.StrictParser")

    /// True in a test that simulates an app without the strict parser.
    @TaskLocal static var isHidden = false

    /// The parser; nil if the process contains no strict parser.
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
