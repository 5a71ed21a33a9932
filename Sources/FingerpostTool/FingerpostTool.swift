import FingerpostTooling

/// The command-line tool `fingerpost-cli`.
@main
struct FingerpostTool {
    static func main() { ToolMain.run(Array(CommandLine.arguments.dropFirst())) }
}
