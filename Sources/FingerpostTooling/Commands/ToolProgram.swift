import FingerpostFiles
import Foundation

/// How the tool was started, for texts that tell how to start it again.
package struct ToolProgram: Sendable {
    /// The variable that the command plugin sets, because the tool cannot see who starts it.
    private static let variable = "FINGERPOST_PROGRAM"

    /// What to type before a command.
    let name: String
    /// What to type before `generate`, which the command plugin does not run.
    let generator: String

    package static var current: ToolProgram {
        ToolProgram(startedAs: CommandLine.arguments.first, variables: ProcessInfo.processInfo.environment)
    }

    /// - Parameter path: the path of the program. `swift run` starts it from the build folder.
    init(startedAs path: String?, variables: [String: String] = [:]) {
        let path = path ?? "fingerpost-cli"
        generator = path.contains(".build/") ? "swift run fingerpost-cli" : path
        name = variables[variable: Self.variable] ?? generator
    }
}
