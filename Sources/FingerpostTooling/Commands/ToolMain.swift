import FingerpostBuilding
import Foundation

/// Runs the commands of `fingerpost-cli`, prints their output, and ends the process with an exit code.
package enum ToolMain {
    /// - Parameter words: the arguments after the tool's name.
    package static func run(_ words: [String]) {
        do throws(UsageProblem) { run(try ToolCommand(words)) } catch { stop("\(error)", status: error.status) }
    }

    private static func run(_ command: ToolCommand) {
        switch command {
        case .help(let text): print(text)
        case .check(let path, let targets, let isJSON):
            let report = CheckReport(below: folder(path), targets: targets.map(folder))
            print(isJSON ? report.json : Terminal.output.colored(report.text))
            if report.errors > 0 { exit(1) }
        case .generate(let path, let output): generate(path, output)
        case .explain(let key, let environment, let path):
            do {
                let explanation = try KeyExplanation(key, in: environment, below: folder(path))
                print(explanation.text)
                if !explanation.isKnown { exit(1) }
            } catch {
                stop("\(error)", status: 1)
            }
        case .verify(let path, let options):
            do {
                let report = try VerifyReport(path, options)
                print(options.isJSON ? report.json : Terminal.output.colored(report.text))
                if report.status != 0 { exit(report.status) }
            } catch {
                stop("\(error)", status: 2)
            }
        }
    }

    private static func generate(_ path: String, _ output: String?) {
        let checked = CheckedFolders(below: folder(path))
        for problem in checked.problems {
            try? FileHandle.standardError.write(contentsOf: Data((Terminal.error.colored("\(problem)") + "\n").utf8))
        }
        if checked.problems.contains(where: \.isError) { exit(1) }
        guard let output else {
            print(checked.generated.text, terminator: "")
            return
        }
        do { try Data(checked.generated.text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic) } catch {
            stop("\(output): error: the file cannot be written: \(error.localizedDescription)", status: 1)
        }
    }

    private static func folder(_ path: String) -> URL {
        URL(fileURLWithPath: path, isDirectory: true)
    }

    private static func stop(_ message: String, status: Int32) -> Never {
        // If standard error is closed, the exit code reports the failure.
        try? FileHandle.standardError.write(contentsOf: Data((Terminal.error.colored(message) + "\n").utf8))
        exit(status)
    }
}

/// An output stream of the tool. Text for the stream is colored only if the stream is a terminal that supports colors.
enum Terminal {
    case output, error

    /// The text with `error:` and `warning:` in color. The text is unchanged if the stream is not a terminal, if
    /// `NO_COLOR` is set, or if `TERM` is `dumb`.
    func colored(_ text: String) -> String {
        guard hasColors else { return text }
        return text.replacingOccurrences(of: ": error: ", with: ": \u{1B}[1;31merror:\u{1B}[0m ")
            .replacingOccurrences(of: ": warning: ", with: ": \u{1B}[1;33mwarning:\u{1B}[0m ")
    }

    private var hasColors: Bool {
        let variables = ProcessInfo.processInfo.environment
        guard variables["NO_COLOR", default: ""].isEmpty, variables["TERM"] != "dumb" else { return false }
        return isatty(self == .output ? STDOUT_FILENO : STDERR_FILENO) == 1
    }
}
