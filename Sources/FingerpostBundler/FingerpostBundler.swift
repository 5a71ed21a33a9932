import FingerpostBuilding
import Foundation

/// The program that the plugin runs in every build. This program is separate from `fingerpost-cli`, the tool for users,
/// so that the arguments of this program can change without affecting users.
@main
struct FingerpostBundler {
    static func main() {
        let problems = BundleJob(Array(CommandLine.arguments.dropFirst())).run()
        // If standard error is closed, the exit code reports the failure.
        try? FileHandle.standardError.write(contentsOf: Data(problems.map { "\($0)\n" }.joined().utf8))
        if problems.contains(where: \.isError) { exit(1) }
    }
}
