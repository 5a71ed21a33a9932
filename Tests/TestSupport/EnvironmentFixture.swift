import FingerpostDocuments

@testable package import FingerpostFiles

/// A folder of environment files, loaded without the variables of this process.
package struct EnvironmentFixture {
    /// The folder of the files.
    package let folder: TemporaryFolder

    /// Creates the folder with these files, by name.
    package init(_ files: [String: String]) throws {
        folder = try TemporaryFolder(files)
    }

    /// Loads the layers of an environment.
    ///
    /// - Parameters:
    ///   - target: the environment's name.
    ///   - variables: the environment variables; `FOLDER` in a value is replaced with the folder's path.
    ///   - readsSecrets: false to ignore the secrets file.
    package func layers(
        _ target: String = "X", variables: [String: String] = [:], readsSecrets: Bool = true
    ) throws -> LayeredEnvironment {
        let variables = variables.mapValues { $0.replacingOccurrences(of: "FOLDER", with: folder.url.path) }
        return try EnvironmentFolder(url: folder.url).load(
            target, readsSecrets: readsSecrets, variables: variables,
            parser: LinkedParser.isHidden ? nil : strictParser)
    }

    /// Text with file names instead of paths.
    package func withoutPath(_ text: String) -> String {
        let url = folder.url
        return [FilePath.display(url), url.path, url.resolvingSymlinksInPath().path].reduce(text) {
            $0.replacingOccurrences(of: $1 + "/", with: "").replacingOccurrences(of: $1, with: ".")
        }
    }

    /// The problems, one per line.
    package func report(_ layers: LayeredEnvironment) -> String {
        layers.problems.map { withoutPath($0.description) }.joined(separator: "\n")
    }

    /// An XML property list with a dictionary at its root.
    ///
    /// - Parameter inside: the XML of the dictionary's keys and values.
    package static func propertyList(_ inside: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        \(inside)
        </dict>
        </plist>
        """
    }
}
