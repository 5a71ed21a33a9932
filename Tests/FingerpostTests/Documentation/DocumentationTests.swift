import Foundation
import Testing

/// Every block of Swift in the README and the articles stands in this folder too, where it is compiled and run.
@Suite struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func files(below path: String, _ fileExtension: String) -> [URL] {
        let folder = root.appendingPathComponent(path)
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".\(fileExtension)") }.sorted().map(folder.appendingPathComponent)
    }

    /// The lines of a text without indentation, and without the empty ones.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static let pages =
        [root.appendingPathComponent("README.md")] + files(below: "Sources/Fingerpost/Fingerpost.docc", "md")

    @Test(arguments: pages) func `The Swift of a page is compiled`(page: URL) throws {
        let compiled = try Self.files(below: "Tests/FingerpostTests/Documentation", "swift").map {
            "\n" + Self.lines(try String(contentsOf: $0, encoding: .utf8)).joined(separator: "\n") + "\n"
        }
        let text = try String(contentsOf: page, encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        // A manifest is no code of this package, and an import stands at the top of its file.
        for block in blocks where ![".package(", ".plugin(", ".testTarget("].contains(where: block.contains) {
            let code = Self.lines(block).filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
            #expect(compiled.contains { $0.contains("\n\(code)\n") }, "not compiled anywhere:\n\(block)")
        }
    }

    @Test func `There are pages`() {
        #expect(Self.pages.count > 3)
    }
}
