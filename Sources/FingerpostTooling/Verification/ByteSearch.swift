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

    private enum Marker {
        /// The class that the plugin generates for debug builds.
        case sourceClass
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
        let name = ["_Finger", "postSource"].joined()
        let known: [(Marker, String)] = [
            (.sourceClass, "\(name.utf8.count)\(name)"), (.sourceClass, "\0\(name)\0"),
            (.folderName, "/\(EnvironmentFolder.name)\0"),
        ]
        markers = known.map(\.0)
        patterns = BytePatterns(
            secrets.patterns.map(\.bytes) + sourcePaths.map { Array($0.utf8) } + known.map { Array($0.1.utf8) },
            isWrapped: { $0 < secrets.patterns.count && secrets.patterns[$0].isBase64 })
    }

    /// What one file contains.
    private struct Matches {
        /// The first place of each secret, by its key.
        var secrets: [String: (pattern: Int, end: Int)] = [:]
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
            patterns.forEachMatch(in: bytes) { pattern, end in add(pattern, end, to: &matches) }
        }
        var findings = matches.secrets.sorted { $0.key < $1.key }.map { key, match in
            let pattern = secrets.patterns[match.pattern]
            return FileProblem(
                .secret, path, line: Self.line(of: match.end - pattern.bytes.count, in: data),
                "the file contains the value of the secret \"\(key)\", \(pattern.form), and everybody can read it "
                    + "there",
                fix: "remove it from what is built, and revoke the value if the build has left your machine")
        }
        let fix = "build for release: without DEBUG in the compilation conditions of this configuration"
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

    private func add(_ pattern: Int, _ end: Int, to matches: inout Matches) {
        if pattern < secrets.patterns.count {
            let key = secrets.patterns[pattern].key
            if matches.secrets[key] == nil { matches.secrets[key] = (pattern, end) }
        } else if pattern < secrets.patterns.count + sourcePaths.count {
            matches.sourcePath = matches.sourcePath ?? end
        } else {
            switch markers[pattern - secrets.patterns.count - sourcePaths.count] {
            case .sourceClass: matches.hasSourceClass = true
            case .folderName: if matches.folderNames.count < 100 { matches.folderNames.append(end - 1) }
            }
        }
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
