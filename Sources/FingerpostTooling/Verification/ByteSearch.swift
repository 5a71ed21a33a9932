import FingerpostFiles
import FingerpostShared
import Foundation

/// Reads every byte of a build once, and finds the values of secrets and traces of debug builds.
struct ByteSearch {
    private let secrets: [KnownSecrets.Pattern]
    private let patterns: PatternTree

    init(_ secrets: KnownSecrets) {
        self.secrets = secrets.patterns
        // The class that the plugin generates for debug builds. On Apple platforms, an executable contains the mangled
        // name of the class. On Linux, an executable contains the plain name between zero bytes. The name is joined
        // from two texts, so that the executable of this tool does not contain it.
        let name = ["_Finger", "postSource"].joined()
        patterns = PatternTree(
            secrets.patterns.map(\.bytes) + ["\(name.utf8.count)\(name)", "\0\(name)\0"].map { Array($0.utf8) })
    }

    /// Returns the findings in all files of a build, in the order of the files.
    func findings(in build: Build) -> [FileProblem] {
        build.files.files.filter { $0.kind == .file && $0.size > 0 }.flatMap { file -> [FileProblem] in
            let path = build.files.path(of: file.path)
            do throws(FileProblem) {
                return findings(in: try RegularFile(build.files.url(of: file.path), path: path).contents(), path)
            } catch {
                return [error.of(.unreadable)]
            }
        }
    }

    func findings(in data: Data, _ path: String) -> [FileProblem] {
        /// The first occurrence of each secret, keyed by the secret's key.
        var found: [String: (form: String, end: Int)] = [:]
        var isDebugBuild = false
        data.withUnsafeBytes { bytes in
            patterns.forEachMatch(in: bytes) { pattern, place in
                if pattern >= secrets.count {
                    isDebugBuild = true
                } else if found[secrets[pattern].key] == nil {
                    found[secrets[pattern].key] = (secrets[pattern].form, place.upperBound)
                }
                // Continue the search, because a shorter form that ends at the same byte may belong to another secret.
                return false
            }
        }
        let problems = found.sorted { $0.key < $1.key }.map { key, match in
            FileProblem(
                .secret, path, line: Self.line(of: match.end - 1, in: data),
                "the file contains the value of the secret \"\(key)\", \(match.form), and everybody can read it there",
                fix: "remove it from what is built, and revoke the value if the build has left your machine")
        }
        guard isDebugBuild else { return problems }
        return problems + [
            FileProblem(
                .sourcePath, path, "the file is a debug build: it contains the path of the source folder",
                fix: "build with `swift build -c release`, or in Xcode without DEBUG in the compilation conditions")
        ]
    }

    /// Returns the number of the line at an offset. Returns nil if the file is not text.
    private static func line(of offset: Int, in data: Data) -> Int? {
        guard data.count < 5_000_000, !data.prefix(8192).contains(0) else { return nil }
        return data.prefix(offset).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }
}
