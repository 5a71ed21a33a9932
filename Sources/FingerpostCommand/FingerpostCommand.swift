import Foundation
import PackagePlugin

/// The command `swift package fingerpost`, which is also in the context menu of packages and projects in Xcode. This
/// command runs the commands `check`, `explain` and `verify` of `fingerpost-cli`. These commands only read files, so
/// the plugin needs no permissions.
@main
struct FingerpostCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let targets = context.package.targets.compactMap { ($0 as? any SourceModuleTarget)?.directoryURL }
        try Self.run(
            try context.tool(named: "fingerpost-cli").url, arguments, in: context.package.directoryURL, targets)
    }

    /// Runs the tool in the root folder of the package or project.
    private static func run(_ tool: URL, _ arguments: [String], in root: URL, _ targets: [URL]) throws {
        var extractor = ArgumentExtractor(arguments)
        // Xcode passes the names of the selected targets, but the folders belong to the whole package or project.
        _ = extractor.extractOption(named: "target")
        let words = extractor.remainingArguments
        if words.first == "generate" {
            Diagnostics.error("this command writes no files. Fix: run `swift run fingerpost-cli generate`")
            return
        }
        let process = Process()
        process.executableURL = tool
        // Xcode's menu passes no command.
        var command = words.isEmpty ? ["check"] : words
        // If the caller names folders or asks for help, no folders are added.
        if command.first == "check", command.dropFirst().allSatisfy({ $0 == "--json" }) {
            command += targets.map(\.path).filter { FileManager.default.fileExists(atPath: $0) }
        }
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["FINGERPOST_PROGRAM": "swift package fingerpost"]
        ) { $1 }
        process.currentDirectoryURL = root
        try process.run()
        process.waitUntilExit()
        // SwiftPM and Xcode report a command as failed only if the plugin reports an error. If the output of SwiftPM is
        // a pipe, this error is printed before the tool's report, because SwiftPM prints the report at the end.
        if process.terminationStatus != 0 {
            let status = process.terminationStatus
            Diagnostics.error("fingerpost-cli ended with the exit code \(status); its report is in the output")
        }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension FingerpostCommand: XcodeCommandPlugin {
        func performCommand(context: XcodePluginContext, arguments: [String]) throws {
            let root = context.xcodeProject.directoryURL
            let targets = context.xcodeProject.targets.map { root.appending(path: $0.displayName) }
            try Self.run(try context.tool(named: "fingerpost-cli").url, arguments, in: root, targets)
        }
    }
#endif
