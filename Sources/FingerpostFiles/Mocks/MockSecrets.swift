package import Foundation

/// Finds what no mock should hold: credentials that look like what they are.
package enum MockSecrets {
    /// Larger files are no text that anybody wrote, and are not searched. In bytes.
    private static let largestSearched = 16 << 20

    /// One problem for each credential of a known look, in the order of the files.
    package static func problems(of folder: MockFolder) -> [FileProblem] {
        folder.fileNames.flatMap { file -> [FileProblem] in
            guard let text = text(of: file, in: folder).map([UInt8].init) else { return [] }
            let found = SecretShape.found(in: text)
            let lines = found.isEmpty ? nil : LineIndex(text)
            return found.map { offset, kind in
                problem(kind, in: folder.path(of: file), line: lines?.position(of: offset).line)
            }
        }
    }

    /// What is searched of a file; nil for a large one.
    package static func text(of file: String, in folder: MockFolder) -> Data? {
        // A file that cannot be read is told where it is checked.
        try? folder.contents(of: file, maximumSize: largestSearched)
    }

    /// - Parameter kind: what it is, with its article.
    package static func problem(_ kind: String, in path: String, line: Int?) -> FileProblem {
        FileProblem(
            path: path, line: line, message: "the file contains \(kind)",
            fix: "replace it with a made-up value, and revoke the original if it was ever committed")
    }
}
