package import FingerpostBuilding
import Foundation

/// The generated file of projects that do not use the plugin. They commit it.
extension GeneratedSwift {
    /// The beginning of every generated file. A file that begins with this text is recognized as generated.
    static let marker = "// Made by fingerpost from Environments and Mocks."

    /// The content of the file that `fingerpost-cli generate` writes.
    package var text: String { content(startingWith: Self.marker) }

    /// All generated files below a folder, sorted by path. Hidden folders are skipped.
    static func files(below folder: URL) -> [URL] {
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
