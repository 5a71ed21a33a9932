import FingerpostFiles
import FingerpostShared
import Foundation

/// Finds what was built at a path.
struct Builds {
    private(set) var builds: [Build] = []

    /// - Throws: an error if nothing that was built is there.
    init(at url: URL) throws(FileProblem) {
        let shown = FilePath.display(url)
        let kind: FileStatus.Kind
        do throws(POSIXError) { kind = try FileStatus(of: url.path).kind } catch {
            throw FileProblem(
                path: shown, message: "there is nothing to verify here: \(error.fileReason)", fix: Self.fix)
        }
        let packed = url.pathExtension.lowercased()
        if kind == .file, Self.packed.contains(packed) {
            throw FileProblem(
                path: shown, message: "the file is packed, and only what is unpacked can be read",
                fix: packed == "ipa"
                    ? "run `unzip -q \"\(shown)\" -d unpacked`, and verify unpacked/Payload"
                    : "unpack it, and verify the app in it")
        }
        if kind == .folder {
            try find(in: url, shown)
        } else if Self.isExecutable(url) {
            builds = [Build(executable: url, shown: shown)]
        }
        guard builds.isEmpty else { return }
        throw FileProblem(
            path: shown,
            message: kind == .folder
                ? "the folder contains nothing that was built" : "the file is neither a bundle nor an executable",
            fix: Self.fix)
    }

    private static let fix =
        "pass the path of an .app, .appex, .framework, .xcarchive or executable, or of a folder of them"

    private static let packed: Set = ["ipa", "zip", "pkg", "dmg", "xip", "tar", "gz", "tgz"]

    /// How many folders deep bundles are searched for.
    private static let depth = 4

    private mutating func find(in url: URL, _ shown: String) throws(FileProblem) {
        if let kind = BuildPart.Kind(of: url) {
            builds = [Build(bundle: url, shown: shown)]
            let packs = url.deletingLastPathComponent().appendingPathComponent("OnDemandResources")
            if kind == .app, packs.isFolder { try find(below: packs, FilePath.display(packs), depth: 1) }
            return
        }
        let isArchive = url.pathExtension == "xcarchive"
        let products = isArchive ? url.appendingPathComponent("Products") : url
        let shownProducts = isArchive ? "\(shown)/Products" : shown
        if isArchive, !products.isFolder {
            throw FileProblem(
                path: shown, message: "the archive has no folder Products, so it is not whole",
                fix: "archive again, or copy all of it")
        }
        try find(below: products, shownProducts, isArchive: isArchive)
        // The resource bundles of programs are parts of them.
        if builds.isEmpty { try find(below: products, shownProducts, resources: true) }
        if isArchive, !builds.isEmpty { builds.append(Build(beside: builds, in: products, shown: shownProducts)) }
    }

    private mutating func find(
        below folder: URL, _ shown: String, depth: Int = 0, isArchive: Bool = false, resources: Bool = false
    ) throws(FileProblem) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } catch {
            throw FileProblem(
                path: shown, message: "the folder cannot be read: \(error.fileReason)", fix: "make it readable")
        }
        if depth == 0 && !resources || isArchive { findExecutables(in: folder, shown, names) }
        for name in names where !name.begins(with: ".") {
            let url = folder.appendingPathComponent(name)
            // What disappears meanwhile is not part of the build.
            guard let status = try? FileStatus(of: url.path, followsLinks: false), status.kind == .folder else {
                continue
            }
            let path = "\(shown)/\(name)"
            if let kind = BuildPart.Kind(of: url) {
                if kind != .resources || resources { builds.append(Build(bundle: url, shown: path)) }
            } else if depth < Self.depth, !Self.intermediates.contains(url.pathExtension), name != "index" {
                try find(below: url, path, depth: depth + 1, isArchive: isArchive, resources: resources)
            }
        }
    }

    /// Finds the programs in a folder of products. The bundles there belong to the programs whose names they end with,
    /// or to each program if there are none.
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

    /// The program of the plugin, which SwiftPM builds beside the products for its own use.
    private static let pluginTool = "FingerpostBundler-tool"

    /// The folders of a build system, which nobody ships.
    private static let intermediates: Set = [
        "build", "product", "swiftmodule", "dSYM", "xctest", "noindex", "xcassets", "lproj", "xcodeproj",
    ]

    /// True for a program for Linux or for an Apple platform, by its first bytes.
    private static func isExecutable(_ url: URL) -> Bool {
        // A file that cannot be read counts as no program. If it is the one to verify, that is what the error says.
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
