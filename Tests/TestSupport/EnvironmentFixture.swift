package import FingerpostFiles
import Foundation

/// A folder of environment files, and what is made of it without the variables of this process.
package struct EnvironmentFixture {
    package let folder: TemporaryFolder

    package init(_ files: [String: String]) throws {
        folder = try TemporaryFolder(files)
    }

    /// - Parameter variables: in them `FOLDER` stands for the folder's path.
    package func layers(
        _ target: String = "X", variables: [String: String] = [:], readsSecrets: Bool = true
    ) throws -> LayeredEnvironment {
        let variables = variables.mapValues { $0.replacingOccurrences(of: "FOLDER", with: folder.url.path) }
        return EnvironmentLoader(
            try EnvironmentFolder(url: folder.url), variables: EnvironmentVariables(variables)
        ).load(target, readsSecrets: readsSecrets)
    }

    /// Text with the names of files where it has their paths.
    package func withoutPath(_ text: String) -> String {
        let url = folder.url
        return [FilePath.display(url), url.path, url.resolvingSymlinksInPath().path].reduce(text) {
            $0.replacingOccurrences(of: $1 + "/", with: "").replacingOccurrences(of: $1, with: ".")
        }
    }

    /// What is wrong, a line each.
    package func report(_ layers: LayeredEnvironment) -> String {
        layers.problems.map { withoutPath($0.description) }.joined(separator: "\n")
    }

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
