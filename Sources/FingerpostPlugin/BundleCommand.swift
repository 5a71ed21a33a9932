import Foundation
import PackagePlugin

/// The one command of a target.
struct BundleCommand {
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
    ///   - declared: the resources of the manifest. What is among them is checked, and not bundled a second time.
    ///   - sources: the target's code. A folder of that name with code in it is none of ours.
    ///   - isWatched: true where SwiftPM plans anew when a file comes or goes, so that files can be inputs. Elsewhere a file that is
    ///     gone would end every later build.
    /// - Returns: false when there is no such folder.
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
        // Files that are inputs are not complained about as unhandled either.
        if isWatched {
            inputs += (FileManager.default.subpaths(atPath: path) ?? []).sorted().map { folder.appending(path: $0) }
        }
        return true
    }

    func commands(for target: String, writesSwift: Bool) throws -> [Command] {
        guard !arguments.isEmpty else { return [] }
        var arguments = arguments
        var outputs = outputs
        if writesSwift {
            let swift = work.appending(path: "Fingerpost+Generated.swift")
            arguments += ["--swift", swift.path]
            outputs.append(swift)
        }
        // The tool rewrites this input, so it runs at every build and sees files that came or went since the plan was made.
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
