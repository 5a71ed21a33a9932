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
        let linked = target is SwiftSourceModuleTarget ? Self.linkedModules(target) : []
        return try job.commands(for: target.name, linked: linked, isTest: target.kind == .test)
    }

    private static func paths(of files: FileList, _ type: FileType) -> [String] {
        files.filter { $0.type == type }.map(\.url.standardizedFileURL.path)
    }

    /// Returns the modules that a target links according to its manifest. The target can import the library if it links
    /// a product with a module that is built on `Fingerpost`, because each of these modules exports `Fingerpost`.
    ///
    /// The search begins with the target's products and targets, and follows only dependencies on other targets, not on
    /// further products. Dependencies on targets stay within a package, so they lead to `Fingerpost` only in this
    /// library's own package. If a target only depends on a module that uses the library, the target does not import
    /// the library itself. Such a target uses the names that the module makes public.
    private static func linkedModules(_ target: any Target) -> Set<String> {
        var (found, names): (Set<String>, Set<String>) = ([], [])
        var rest = target.dependencies.flatMap { dependency in
            switch dependency {
            case .target(let target): [target]
            case .product(let product): product.targets
            @unknown default: [] as [any Target]
            }
        }
        while let target = rest.popLast() {
            names.insert(target.name)
            guard found.insert(target.id).inserted else { continue }
            for case .target(let dependency) in target.dependencies { rest.append(dependency) }
        }
        return names
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
            // Xcode does not tell plugins which products a target links: `target.dependencies` is empty.
            return try job.commands(for: target.displayName, linked: nil, isTest: false)
        }
    }
#endif
