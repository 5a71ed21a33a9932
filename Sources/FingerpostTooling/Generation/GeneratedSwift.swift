package import FingerpostFiles
package import Foundation

/// The Swift file that names the keys of the environments and the mocks, so that a slip is an error of the compiler.
///
/// It holds names and types and never a value: a file that is out of date can lack a key, and cannot ship an old server.
package struct GeneratedSwift: Sendable {
    /// The first line of every such file, by which it is found again.
    package static let marker = "// Made by fingerpost from Environments and Mocks. Do not edit: change the files."

    package let text: String
    package let problems: [FileProblem]

    package init(environments: EnvironmentSchema?, mocks: MockFolder?) {
        let accessors = environments.map(EnvironmentAccessors.init)
        let names = mocks.map(MockConstants.init)
        var lines = [Self.marker, "// swift-format-ignore-file", "", "import Fingerpost"]
        if accessors?.needsFoundation == true { lines.append("import Foundation") }
        for part in [accessors?.text, names?.text] {
            if let part { lines += [""] + part.lines }
        }
        text = lines.joined(separator: "\n") + "\n"
        problems = (accessors?.problems ?? []) + (names?.problems ?? [])
    }

    /// The generated files that are committed below a folder.
    package static func files(below folder: URL) -> [URL] {
        guard let names = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var files: [URL] = []
        while let name = names.nextObject() as? String {
            let last = name.split(separator: "/").last ?? ""
            if last.hasPrefix(".") {
                names.skipDescendants()
            } else if last.hasSuffix(".swift"), isGenerated(folder.appendingPathComponent(name)) {
                files.append(folder.appendingPathComponent(name))
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    private static func isGenerated(_ file: URL) -> Bool {
        // One that cannot be read is the compiler's to tell.
        let start = try? FileHandle(forReadingFrom: file).read(upToCount: marker.utf8.count)
        return start == Data(marker.utf8)
    }
}
