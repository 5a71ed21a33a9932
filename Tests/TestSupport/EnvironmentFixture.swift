package import FingerpostFiles
import Foundation

/// A folder of environment files, loaded without the variables of this process.
package struct EnvironmentFixture {
    package let folder: TemporaryFolder

    package init(_ files: [String: String]) throws {
        folder = try TemporaryFolder(files)
    }

    /// Loads an environment.
    ///
    /// - Parameter variables: process variables, in which `FOLDER` is replaced by the path of the folder.
    package func layers(
        _ target: String = "X", variables: [String: String] = [:], readsSecrets: Bool = true
    ) throws -> LayeredEnvironment {
        let variables = variables.mapValues { $0.replacingOccurrences(of: "FOLDER", with: folder.url.path) }
        return EnvironmentLoader(
            try EnvironmentFolder(url: folder.url), variables: EnvironmentVariables(variables)
        ).load(target, readsSecrets: readsSecrets)
    }

    /// A text with the paths of files replaced by their names.
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

    /// An XML property list whose root dictionary has the given content.
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
