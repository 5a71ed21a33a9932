// What Xcode adds to PackagePlugin for the plugins of projects.
public import Foundation
public import PackagePlugin

public struct XcodeTarget {
    public let displayName: String
    public let inputFiles: FileList
}

public struct XcodeProject {
    public let directoryURL: URL
    public let targets: [XcodeTarget]
}

public struct XcodePluginContext {
    public let xcodeProject: XcodeProject
    public let pluginWorkDirectoryURL: URL
    public func tool(named name: String) throws -> PluginContext.Tool { fatalError() }
}

public protocol XcodeBuildToolPlugin: Plugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

public protocol XcodeCommandPlugin: Plugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws
}
