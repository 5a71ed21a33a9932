import Foundation
import PackagePlugin

/// Checks and bundles the folders `Environments` and `Mocks` in a target or in its package. The plugin also generates
/// Swift accessors for the environments' keys and constants for the mocks.
@main
struct FingerpostPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        var job = BundleCommand(
            work: context.pluginWorkDirectoryURL, tool: try context.tool(named: "FingerpostBundler").url)
        let declared = Self.paths(of: target.sourceFiles, .resource)
        let sources = Self.paths(of: target.sourceFiles, .source)
        for name in BundleCommand.folders {
            if job.add(name, in: target.directoryURL, declared: declared, sources: sources, isWatched: true) {
                continue
            }
            let root = context.package.directoryURL
            if job.add(name, in: root, declared: declared, sources: sources, isWatched: false) { continue }
            job.emptyCopy(of: name, in: root)
        }
        let usesLibrary = target is SwiftSourceModuleTarget && target.dependencies.contains(where: Self.isLibrary)
        return try job.commands(for: target.name, writesSwift: usesLibrary)
    }

    private static func paths(of files: FileList, _ type: FileType) -> [String] {
        files.filter { $0.type == type }.map(\.url.standardizedFileURL.path)
    }

    private static func isLibrary(_ dependency: TargetDependency) -> Bool {
        switch dependency {
        case .target(let target): target.name == "Fingerpost"
        case .product(let product): product.targets.contains { $0.name == "Fingerpost" }
        @unknown default: false
        }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension FingerpostPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            var job = BundleCommand(
                work: context.pluginWorkDirectoryURL, tool: try context.tool(named: "FingerpostBundler").url)
            let root = context.xcodeProject.directoryURL
            let declared = Self.paths(of: target.inputFiles, .resource)
            let sources = Self.paths(of: target.inputFiles, .source)
            for name in BundleCommand.folders {
                let folder = root.appending(path: target.displayName)
                if job.add(name, in: folder, declared: declared, sources: sources, isWatched: false) { continue }
                if job.add(name, in: root, declared: declared, sources: sources, isWatched: false) { continue }
                job.emptyCopy(of: name, in: root)
            }
            // Xcode does not tell plugins which package products a target links: `target.dependencies` lacks them. The
            // generated file is empty for targets that cannot import the library.
            return try job.commands(for: target.displayName, writesSwift: true)
        }
    }
#endif
