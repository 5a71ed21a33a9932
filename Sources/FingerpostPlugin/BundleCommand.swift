import Foundation
import PackagePlugin

/// Collects the arguments, inputs and outputs of the build command for a target.
struct BundleCommand {
    /// The names of the folders that the plugin bundles.
    static let folders = ["Environments", "Mocks"]

    private let work: URL
    private let tool: URL
    private var arguments: [String] = []
    private var inputs: [URL] = []
    private var outputs: [URL] = []

    init(work: URL, tool: URL) {
        self.work = work
        self.tool = tool
    }

    /// Adds a folder to the build command, if the folder exists in the parent folder.
    ///
    /// - Parameters:
    ///   - declared: the paths of the resources declared in the manifest. If the folder is a declared resource, SwiftPM
    ///     already bundles it, so the folder is checked but not copied.
    ///   - sources: the paths of the target's source files. If the folder contains source files, it is ignored.
    ///   - isWatched: true if SwiftPM plans the build again after files are added to or removed from the folder. The
    ///     folder's files can be inputs of the command only if the folder is watched; otherwise every build after the
    ///     removal of a file would fail.
    /// - Returns: false if the folder does not exist or contains source files.
    mutating func add(_ name: String, in parent: URL, declared: [String], sources: [String], isWatched: Bool) -> Bool {
        let folder = parent.appending(path: name)
        let path = folder.standardizedFileURL.path
        // If the folder is a link without a target, it is added too, so that the tool reports the link.
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
        guard isLink || FileManager.default.fileExists(atPath: path),
            !sources.contains(where: { $0.hasPrefix(path + "/") })
        else { return false }
        let option = "--\(name.lowercased())"
        arguments += [option, path]
        if !declared.contains(where: { $0 == path || $0.hasPrefix(path + "/") }) {
            let copy = work.appending(path: name)
            arguments += [option + "-copy", copy.path]
            outputs.append(copy)
        }
        // SwiftPM does not warn about an unhandled file if the file is an input of a build command.
        if isWatched {
            inputs += (FileManager.default.subpaths(atPath: path) ?? []).sorted().map { folder.appending(path: $0) }
        }
        return true
    }

    /// If a folder that an earlier build bundled no longer exists, empties the folder's copy. Otherwise, the build
    /// system would leave the earlier copy in the product.
    mutating func emptyCopy(of name: String, in parent: URL) {
        let copy = work.appending(path: name)
        guard FileManager.default.fileExists(atPath: copy.path) else { return }
        let option = "--\(name.lowercased())"
        arguments += [option, parent.appending(path: name).standardizedFileURL.path, option + "-copy", copy.path]
        outputs.append(copy)
    }

    /// Returns the build command for a target. If no folder was added, returns no command.
    ///
    /// - Parameters:
    ///   - linked: the modules that the target links. A target that links the library gets a generated file. If nil,
    ///     the modules are unknown, and the generated file lets the compiler check whether it can import the library.
    ///   - isTest: true for a test target.
    func commands(for target: String, linked: Set<String>?, isTest: Bool) throws -> [Command] {
        guard !arguments.isEmpty else { return [] }
        var arguments = arguments
        var outputs = outputs
        if linked?.contains("Fingerpost") != false {
            let swift = work.appending(path: "Fingerpost+Generated.swift")
            arguments += ["--swift", swift.path]
            if linked != nil { arguments.append("--linked") }
            if linked?.contains("FingerpostMocks") == true { arguments.append("--linked-mocks") }
            if isTest { arguments.append("--test") }
            outputs.append(swift)
        }
        // The tool rewrites this input file in every build, so that the build system runs the tool in every build. In
        // each run, the tool finds the files that were added or removed since the build was planned.
        let stamp = work.appending(path: "last-run.stamp")
        if !FileManager.default.fileExists(atPath: stamp.path) { try Data().write(to: stamp) }
        arguments += ["--stamp", stamp.path]
        return [
            .buildCommand(
                displayName: "Checking the environments and mocks of \(target)", executable: tool, arguments: arguments,
                inputFiles: inputs + [stamp], outputFiles: outputs)
        ]
    }
}
