import FingerpostFiles
import Foundation

/// Finds the builds at a path.
struct Builds {
    private(set) var builds: [Build] = []

    /// - Throws: an error if there is no build at the URL.
    init(at url: URL) throws(FileProblem) {
        let shown = FilePath.display(url)
        let products = url.appendingPathComponent("Products")
        if url.pathExtension == "xcarchive", products.isFolder {
            builds = [Build(folder: products, shown: "\(shown)/Products")].filter { !$0.parts.isEmpty }
        } else if url.isFolder {
            if BuildPart.Kind(of: url) != nil {
                builds = [Build(folder: url, shown: shown)]
                return
            }
            try find(below: url, shown)
            // A resource bundle usually belongs to a program, so a bundle counts as a build only if no program is
            // found.
            if builds.isEmpty { try find(below: url, shown, resources: true) }
        } else if Self.isExecutable(url) {
            builds = [Build(executable: url, shown: shown)]
        }
        guard builds.isEmpty else { return }
        throw FileProblem(
            path: shown, message: "there is nothing here that was built",
            fix:
                "pass the path of an .app, .appex, .framework, .xcarchive or executable, or of a folder of them; unzip "
                + "an .ipa first")
    }

    /// The maximum depth of folders in the search for bundles.
    private static let depth = 4

    private mutating func find(
        below folder: URL, _ shown: String, depth: Int = 0, resources: Bool = false
    ) throws(FileProblem) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } catch {
            throw FileProblem(
                path: shown, message: "the folder cannot be read: \(error.fileReason)", fix: "make it readable")
        }
        if depth == 0, !resources { findExecutables(in: folder, shown, names) }
        for name in names where !name.begins(with: ".") {
            let url = folder.appendingPathComponent(name)
            // A file that was deleted during the search does not belong to the build.
            guard (try? FileStatus(of: url.path, followsLinks: false))?.kind == .folder else { continue }
            let path = "\(shown)/\(name)"
            if let kind = BuildPart.Kind(of: url) {
                if kind != .resources || resources { builds.append(Build(folder: url, shown: path)) }
            } else if depth < Self.depth, !Self.intermediates.contains(url.pathExtension), name != "index" {
                try find(below: url, path, depth: depth + 1, resources: resources)
            }
        }
    }

    /// Finds the programs in a folder of products. If the name of any bundle ends with the name of a program, the
    /// program gets the bundles in the folder. If this is so for no program, all programs get the bundles.
    private mutating func findExecutables(in folder: URL, _ shown: String, _ names: [String]) {
        let executables = names.filter { name in
            let url = folder.appendingPathComponent(name)
            return url.pathExtension.isEmpty && !url.isFolder && name != Self.pluginTool && Self.isExecutable(url)
        }
        let owners = executables.filter { name in
            names.contains { $0.ends(with: "_\(name).resources") || $0.ends(with: "_\(name).bundle") }
        }
        builds += executables.map { name in
            Build(
                executable: folder.appendingPathComponent(name), shown: "\(shown)/\(name)",
                ownsFolder: owners.isEmpty || owners.contains(name))
        }
    }

    /// The program of the plugin. SwiftPM builds this program for its own use, in the folder of the products.
    private static let pluginTool = "FingerpostBundler-tool"

    /// The folders of a build system, which are not shipped.
    private static let intermediates: Set = ["build", "product", "swiftmodule", "dSYM", "xctest", "noindex"]

    /// Returns true if the first bytes of a file are those of a program for Linux or for an Apple platform.
    private static func isExecutable(_ url: URL) -> Bool {
        // A file that cannot be read does not count as a program. If the verified file itself cannot be read, the error
        // therefore says that nothing was built there.
        guard FileManager.default.isExecutableFile(atPath: url.path),
            let handle = try? FileHandle(forReadingFrom: url), let start = try? handle.read(upToCount: 4)
        else { return false }
        return signatures.contains(Array(start))
    }

    private static let signatures: Set<[UInt8]> = [
        [0x7F, 0x45, 0x4C, 0x46], [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE],
        [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE],
    ]
}
