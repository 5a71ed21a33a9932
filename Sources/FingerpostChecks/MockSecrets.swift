package import FingerpostFiles
package import FingerpostMockFiles
package import Foundation

/// Finds credentials with a known format, which no mock should contain.
package enum MockSecrets {
    /// The maximum size of a file that is searched, in bytes. A larger file is unlikely to be handwritten text.
    private static let largestSearched = 16 << 20

    /// Returns one problem for each credential that a search finds in a file. Returns no problems for a file that is
    /// too large or cannot be read.
    ///
    /// - Parameter search: returns the kind of each credential with its article, such as `a GitHub token`, and its
    ///   line, 1-based.
    package static func problems(
        of file: String, in folder: MockIndex, by search: (Data) -> [(kind: String, line: Int)]
    ) -> [FileProblem] {
        // `MockFolderCheck` reports files that cannot be read.
        guard let data = try? folder.contents(of: file, maximumSize: largestSearched) else { return [] }
        return search(data).map { problem($0.kind, in: folder.path(of: file), line: $0.line) }
    }

    /// Returns the problem for a credential that a search has found.
    package static func problem(_ kind: String, in path: String, line: Int) -> FileProblem {
        FileProblem(
            path: path, line: line, message: "the file contains \(kind)",
            fix: "replace it with a made-up value, and revoke the original if it was ever committed")
    }
}
