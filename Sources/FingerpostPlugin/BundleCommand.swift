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
    ///   - declared: the paths of the resources declared in the manifest. If the folder is one of these resources, it
    ///     is checked but not copied, because it is already bundled.
    ///   - sources: the paths of the target's source files. If the folder contains source files, it is ignored.
    ///   - isWatched: true when SwiftPM plans the build again after files were added to or removed from the folder.
    ///     Only then can these files be inputs of the command; otherwise a removed input file would make every later
    ///     build fail.
    /// - Returns: false when the folder does not exist or contains source files.
    mutating func add(_ name: String, in parent: URL, declared: [String], sources: [String], isWatched: Bool) -> Bool {
        let folder = parent.appending(path: name)
        let path = folder.standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: path), !sources.contains(where: { $0.hasPrefix(path + "/") })
        else {
            return false
        }
        let option = "--\(name.lowercased())"
        arguments += [option, path]
        if !declared.contains(where: { $0 == path || $0.hasPrefix(path + "/") }) {
            let copy = work.appending(path: name)
            arguments += [option + "-copy", copy.path]
            outputs.append(copy)
        }
        // Making the files inputs also prevents SwiftPM from warning that they are unhandled.
        if isWatched {
            inputs += (FileManager.default.subpaths(atPath: path) ?? []).sorted().map { folder.appending(path: $0) }
        }
        return true
    }

    /// The build command for a target; an empty list when no folder was added.
    func commands(for target: String, writesSwift: Bool) throws -> [Command] {
        guard !arguments.isEmpty else { return [] }
        var arguments = arguments
        var outputs = outputs
        if writesSwift {
            let swift = work.appending(path: "Fingerpost+Generated.swift")
            arguments += ["--swift", swift.path]
            outputs.append(swift)
        }
        // The tool rewrites this input file, so that the build system runs the tool in every build. The tool can then
        // find files that were added or removed since the build was planned.
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
