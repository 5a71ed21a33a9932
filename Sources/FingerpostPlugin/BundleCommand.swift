import Foundation
import PackagePlugin

/// Collects the arguments, inputs and outputs of a target's build command.
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

    /// Adds a folder, if it exists below the parent.
    ///
    /// - Parameters:
    ///   - declared: the paths of the resources declared in the manifest. A folder among them is checked but not
    ///     copied, because it is already bundled.
    ///   - sources: the paths of the target's source files. A folder that contains sources is ignored.
    ///   - isWatched: true when SwiftPM plans the build again after files were added or removed, so that the files can
    ///     be inputs. Otherwise a removed input file would make every later build fail.
    /// - Returns: false when the folder does not exist or contains sources.
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
        // SwiftPM also does not warn about unhandled files when they are inputs.
        if isWatched {
            inputs += (FileManager.default.subpaths(atPath: path) ?? []).sorted().map { folder.appending(path: $0) }
        }
        return true
    }

    /// The build command of a target; empty when no folder was added.
    func commands(for target: String, writesSwift: Bool) throws -> [Command] {
        guard !arguments.isEmpty else { return [] }
        var arguments = arguments
        var outputs = outputs
        if writesSwift {
            let swift = work.appending(path: "Fingerpost+Generated.swift")
            arguments += ["--swift", swift.path]
            outputs.append(swift)
        }
        // The tool rewrites this input, so that it runs in every build and finds files that were added or removed since
        // the build was planned.
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
