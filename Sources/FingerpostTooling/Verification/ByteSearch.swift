import FingerpostChecks
import FingerpostFiles
import Foundation

/// Reads every byte of a build once, and finds the values of secrets, and what only debug builds contain.
struct ByteSearch {
    private let secrets: KnownSecrets
    private let sourcePaths: [String]
    private let patterns: BytePatterns
    /// What the patterns after those of secrets and paths mean.
    private let markers: [Marker]
    /// The class that the plugin generates for debug builds.
    private let sourceClass: String

    private enum Marker {
        case mangledName, name
        /// The end of a text that may be the path of an environments folder.
        case folderName
    }

    /// - Parameter sourcePaths: the paths of the environments folder that was reviewed.
    init(_ secrets: KnownSecrets, sourcePaths: [String]) {
        self.secrets = secrets
        self.sourcePaths = sourcePaths
        // The library itself contains the name after a dot, in the text with which it looks the class up. Apple's
        // systems keep the mangled name, and Linux the name in the description of the type. The name is put together
        // here, so that this tool does not contain it.
        sourceClass = ["_Finger", "postSource"].joined()
        let known: [(Marker, String)] = [
            (.mangledName, "\(sourceClass.utf8.count)\(sourceClass)"), (.name, sourceClass),
            (.folderName, "/\(EnvironmentFolder.name)"),
        ]
        markers = known.map(\.0)
        patterns = BytePatterns(
            unescaping: secrets.patterns.map(\.bytes) + (sourcePaths + known.map(\.1)).map { Array($0.utf8) },
            isWrapped: { $0 < secrets.patterns.count && secrets.patterns[$0].form == .base64 })
    }

    /// What one file contains.
    private struct Matches {
        /// The first place of each secret, by its key.
        var secrets: [String: (form: KnownSecrets.Pattern.Form, end: Int)] = [:]
        var sourcePath: Int?
        var hasSourceClass = false
        var folderNames: [Int] = []
    }

    /// The findings in all files of a build, in the order of the files.
    func findings(in build: Build) -> [FileProblem] {
        build.files.files.filter { $0.kind == .file && $0.size > 0 }.flatMap { file -> [FileProblem] in
            let path = build.files.path(of: file.path)
            do throws(FileProblem) {
                return findings(in: try build.files.contents(of: file), path)
            } catch {
                return [error.of(.unreadable)]
            }
        }
    }

    func findings(in data: Data, _ path: String) -> [FileProblem] {
        var matches = Matches()
        data.withUnsafeBytes { bytes in
            patterns.forEachMatch(unescaping: bytes) { pattern, end in add(pattern, bytes, end, to: &matches) }
        }
        var findings = matches.secrets.sorted { $0.key < $1.key }.map { key, match in
            FileProblem(
                .secret, path, line: Self.line(of: match.end - 1, in: data),
                "the file contains the value of the secret \"\(key)\", \(match.form.rawValue), and everybody can read it "
                    + "there",
                fix: "remove it from what is built, and revoke the value if the build has left your machine")
        }
        let fix =
            "build with `swift build -c release`, or in Xcode without DEBUG in the compilation conditions"
        if matches.hasSourceClass {
            let folder = matches.folderNames.lazy.compactMap { Self.path(endingAt: $0, in: data) }.first
            findings.append(
                FileProblem(
                    .sourcePath, path,
                    "the file is a debug build: it contains the path of the source folder"
                        + (folder.map { ", \($0)" } ?? ""), fix: fix))
        } else if matches.sourcePath != nil {
            findings.append(
                FileProblem(.sourcePath, path, "the file contains the path of the source folder", fix: fix))
        }
        return findings
    }

    private func add(_ pattern: Int, _ text: UnsafeRawBufferPointer, _ end: Int, to matches: inout Matches) {
        if pattern < secrets.patterns.count {
            let secret = secrets.patterns[pattern]
            if matches.secrets[secret.key] == nil, let form = Self.form(of: secret, in: text, end) {
                matches.secrets[secret.key] = (form, end)
            }
            return
        }
        if pattern < secrets.patterns.count + sourcePaths.count {
            matches.sourcePath = matches.sourcePath ?? end
            return
        }
        // Texts in a program are between zeros.
        let isEnd = end < text.count && text[end] == 0
        switch markers[pattern - secrets.patterns.count - sourcePaths.count] {
        case .mangledName: matches.hasSourceClass = true
        case .name:
            let start = end - sourceClass.utf8.count
            if isEnd, start > 0, text[start - 1] == 0, text[start..<end].elementsEqual(sourceClass.utf8) {
                matches.hasSourceClass = true
            }
        case .folderName: if isEnd, matches.folderNames.count < 100 { matches.folderNames.append(end) }
        }
    }

    /// How a value is written that ends at an offset; nil if the zeros between its bytes are not those of UTF-16, but
    /// for example those between two texts of a program.
    private static func form(
        of secret: KnownSecrets.Pattern, in text: UnsafeRawBufferPointer, _ end: Int
    ) -> KnownSecrets.Pattern.Form? {
        guard secret.form == .text else { return secret.form }
        var (place, count, gap, gaps) = (end, 0, 0, Set<Int>())
        while place > 0, count < secret.bytes.count {
            place -= 1
            if text[place] == 0 {
                gap += 1
            } else {
                if count > 0 { gaps.insert(gap) }
                (count, gap) = (count + 1, 0)
            }
        }
        return gaps.count > 1 ? nil : gaps == [0] ? .text : .utf16
    }

    /// The absolute path that ends at an offset; nil if the text there is none.
    private static func path(endingAt end: Int, in data: Data) -> String? {
        let before = data[data.startIndex..<data.startIndex + end].suffix(1024)
        guard let zero = before.lastIndex(of: 0) else { return nil }
        let text = before[(zero + 1)...]
        guard text.first == UInt8(ascii: "/") else { return nil }
        return String(bytes: text, encoding: .utf8)
    }

    /// The line of an offset; nil in a file that is not text.
    private static func line(of offset: Int, in data: Data) -> Int? {
        guard data.count < 5_000_000, !data.prefix(8192).contains(0) else { return nil }
        return data.prefix(offset).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }
}
