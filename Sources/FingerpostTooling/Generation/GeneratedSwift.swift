package import FingerpostFiles
package import Foundation

/// The generated Swift file. This file contains accessors for the environments' keys and constants for the mocks, so
/// that the compiler reports misspelled names.
///
/// The file contains names and types but no values. A file that is out of date can therefore lack a key, but it never
/// contains an old server address.
package struct GeneratedSwift: Sendable {
    /// The beginning of every generated file. A file that begins with this text is recognized as generated.
    package static let marker = "// Made by fingerpost from Environments and Mocks."

    /// The content of the generated file.
    package let text: String
    /// The problems with keys and mocks for which no Swift code can be generated.
    package let problems: [FileProblem]

    /// - Parameters:
    ///   - environments: the keys of the environments; nil if there is no environments folder.
    ///   - mocks: the mocks folder; nil if there is no mocks folder.
    package init(environments: EnvironmentSchema?, mocks: MockFolder?) {
        let accessors = environments.map(EnvironmentAccessors.init)
        let names = mocks.map(MockConstants.init)
        // In projects of Xcode, plugins do not see whether a target links the library. Without it, the file is empty.
        var lines = [
            Self.marker + " Edit those files, not this one.", "// swift-format-ignore-file", "",
            "#if canImport(Fingerpost)", "import Fingerpost",
        ]
        if accessors?.needsFoundation == true { lines.append("import Foundation") }
        for part in [accessors?.text, names?.text] {
            if let part { lines += [""] + part.lines }
        }
        text = (lines + ["#endif"]).joined(separator: "\n") + "\n"
        problems = (accessors?.problems ?? []) + (names?.problems ?? [])
    }

    /// All generated files below a folder, sorted by path. Hidden folders are skipped.
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
        // Skip a file that cannot be read, because the compiler will report it.
        let start = try? FileHandle(forReadingFrom: file).read(upToCount: marker.utf8.count)
        return start == Data(marker.utf8)
    }
}
