import FingerpostDocuments
package import FingerpostFiles
package import FingerpostMockFiles
package import Foundation

/// Finds credentials with a known format, which no mock should contain.
package enum MockSecrets {
    /// The maximum size of a file that is searched, in bytes. A larger file is unlikely to be handwritten text.
    private static let largestSearched = 16 << 20

    /// One problem for each credential with a known format, in the order of the files.
    package static func problems(of folder: MockIndex) -> [FileProblem] {
        folder.allFileNames.flatMap { file in
            text(of: file, in: folder).map { problems(in: $0, path: folder.path(of: file)) } ?? []
        }
    }

    /// One problem for each credential with a known format in the text of a file.
    package static func problems(in data: Data, path: String) -> [FileProblem] {
        let text = [UInt8](data)
        let found = SecretShape.found(in: text)
        let lines = found.isEmpty ? nil : LineIndex(text)
        return found.map { range, kind in
            problem(kind, in: path, line: lines?.position(of: range.lowerBound).line)
        }
    }

    /// The bytes of a file that is searched for credentials; nil when the file is too large or cannot be read.
    package static func text(of file: String, in folder: MockIndex) -> Data? {
        // `MockFolderCheck` reports the files that cannot be read.
        try? folder.contents(of: file, maximumSize: largestSearched)
    }

    /// The problem to report for a credential in a file.
    ///
    /// - Parameter kind: the kind of credential with an indefinite article, such as `a GitHub token`.
    package static func problem(_ kind: String, in path: String, line: Int?) -> FileProblem {
        FileProblem(
            path: path, line: line, message: "the file contains \(kind)",
            fix: "replace it with a made-up value, and revoke the original if it was ever committed")
    }
}
