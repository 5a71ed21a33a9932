import TestSupport

/// Checks that every Swift block of the README, of the articles and of the comments in Sources also occurs in this
/// folder or in a package of `.ci/Packages`, where it is compiled.
@Suite(.inTurn) nonisolated struct DocumentationTests {
    /// The lines of a text without indentation, without empty lines, and with one space where a comment is aligned.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            guard line.contains("  ") else { return line }
            return line.split(separator: " ").joined(separator: " ")
        }.filter { !$0.isEmpty }
    }

    private static let pages =
        [RepositoryFiles.root.appendingPathComponent("README.md")]
        + RepositoryFiles.below(".agents", "md") + RepositoryFiles.below("Sources", "md")
    private static let promises = RepositoryFiles.root.appendingPathComponent("Tests/WhatIsPromised.md")

    /// Files whose comments have samples.
    private static let comments = RepositoryFiles.below("Sources", "swift").filter {
        (try? String(contentsOf: $0, encoding: .utf8))?.contains("/// ```swift") == true
    }

    private static let compiled =
        (RepositoryFiles.below("Tests/FingerpostTests/Documentation", "swift")
        + [".ci/Packages/Guests", ".ci/Packages/Tracker"].flatMap { RepositoryFiles.below($0, "swift") }).map {
            "\n" + lines((try? String(contentsOf: $0, encoding: .utf8)) ?? "").joined(separator: "\n") + "\n"
        }

    /// The Swift blocks of a text.
    private static func blocks(_ text: String) -> [String] {
        text.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
    }

    /// The text of a page, or of the comments in a file.
    private static func text(of page: URL) throws -> String {
        let text = try String(contentsOf: page, encoding: .utf8)
        guard page.pathExtension == "swift" else { return text }
        return lines(text).filter { $0.hasPrefix("///") }
            .map { String($0.dropFirst($0.hasPrefix("/// ") ? 4 : 3)) }.joined(separator: "\n")
    }

    @Test func `Every Swift block of a page is compiled`() throws {
        // Manifests are not code of this package, UI tests exist only in Xcode, and imports are at the top of a test
        // file.
        let others = [".package(", ".plugin(", ".testTarget(", "XCUIApplication", "launchEnvironment"]
        let missing = try (Self.pages + Self.comments).flatMap { page in
            try Self.blocks(Self.text(of: page)).filter { block in
                let code = Self.lines(block).filter { line in
                    !["import ", "@testable import "].contains(where: line.hasPrefix)
                }.joined(separator: "\n")
                return !others.contains(where: block.contains) && !Self.compiled.contains { $0.contains("\n\(code)\n") }
            }.map { "\(page.lastPathComponent): \($0)" }
        }
        #expect(Self.pages.count > 3 && missing == [], "no file of this folder contains these samples")
    }

    @Test func `Samples compile beside SwiftUI, and with Swift 6.1`() throws {
        for page in Self.pages {
            let text = try String(contentsOf: page, encoding: .utf8)
            // SwiftUI has an `Environment` too. Raw identifiers, which the tests of this package have, need Swift 6.2.
            let wrong = Self.blocks(text).filter { $0.contains(/\bEnvironment\b/) }
            #expect((wrong, text.contains("func `")) == ([], false), "\(page.lastPathComponent)")
        }
    }

    /// Without the key, the Mac has another Keychain, which knows neither access groups nor when a device is locked.
    @Test func `Samples use the same Keychain on all Apple platforms`() throws {
        let samples = Self.compiled.filter { $0.contains("kSecClass:") && !$0.contains("DocumentationTests") }
        #expect(samples.count == 2 && samples.allSatisfy { $0.contains("kSecUseDataProtectionKeychain: true") })
    }

    /// The column "Tests" of the tables in Tests/WhatIsPromised.md names suites, and tests as `Suite/name of the test`.
    @Test(.heavy) func `Every test that WhatIsPromised names exists`() throws {
        let tables = try String(contentsOf: Self.promises, encoding: .utf8).components(separatedBy: "\n\n")
            .filter { $0.prefix { $0 != "\n" }.hasSuffix("| Tests |") }
        let names = tables.flatMap { $0.split(separator: "\n").dropFirst() }.flatMap { row in
            let column = row.split(separator: "|").last ?? ""
            return column.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
        let files = try RepositoryFiles.below("Tests", "swift").map { try Data(contentsOf: $0) }
        func contain(_ file: Data, _ text: String) -> Bool { file.range(of: Data(text.utf8)) != nil }
        let missing = names.filter { name in
            let parts = name.split(separator: "/", maxSplits: 1)
            let starts = ["struct \(parts[0]) {", "struct \(parts[0]): ", "extension \(parts[0]) {"]
            let suite = files.filter { file in starts.contains { contain(file, $0) } }
            return suite.isEmpty
                || parts.count > 1
                    && !suite.contains { contain($0, "func `\(parts[1])`") || contain($0, "\"\(parts[1])\"") }
        }
        #expect((names.count > 10, missing) == (true, []), "there are no such suites or tests")
    }

    @Test(.heavy) func `The command-line tool has one name in all texts`() throws {
        let wrong = try (Self.pages + [Self.promises] + RepositoryFiles.below("Sources", "swift")).filter { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            // Most files are done without the search, which is slow.
            guard text.range(of: "fingerpost ") != nil else { return false }
            // The command plugin has a verb of its own: `swift package fingerpost check`.
            return text.matches(of: /(\w*) ?\bfingerpost (?:check|generate|explain|verify|--help)/)
                .contains { $0.1 != "package" }
        }
        #expect(wrong == [], "write fingerpost-cli")
    }
}
