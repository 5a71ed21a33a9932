import Fingerpost
import Foundation

/// A command-line client for GitHub's REST API. Start reading at ``GitHub``.
@main
struct Demo {
    static func main() async {
        do {
            try await run(try Arguments(CommandLine.arguments.dropFirst()))
        } catch let error as UsageError {
            // The exit status EX_USAGE from sysexits.h.
            stop("\(error)\nFor usage: swift run Demo --help", status: 64)
        } catch {
            stop("\(error)", status: 1)
        }
    }

    private static func run(_ arguments: Arguments) async throws {
        guard arguments.command != .help else {
            print(Command.usage)
            return
        }
        let environment = try environment(named: arguments.environment)
        var configuration = APIClient.Configuration(gitHub: environment)
        configuration.observers = [CallLines()]
        let client = try APIClient(configuration)

        print(environment.summary)
        guard try await arguments.command.run(client, in: environment) else { exit(1) }
    }

    /// The environment named by the option `--environment` or by the process variable `APP_ENVIRONMENT`. The default is
    /// `Testing`, so that the demo runs without a network.
    private static func environment(named name: String?) throws(EnvironmentError) -> Environment {
        let variable = ProcessInfo.processInfo.environment["APP_ENVIRONMENT"] ?? ""
        return try .load(name ?? (variable.isEmpty ? "Testing" : nil))
    }

    private static func stop(_ message: String, status: Int32) -> Never {
        // Standard output is buffered; flush it so that the error is printed last.
        fflush(nil)
        // If standard error is closed, the exit code says enough.
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
        exit(status)
    }
}

extension Environment {
    fileprivate var summary: String {
        let answers = isSealed ? "sealed: mocks answer, nothing is sent" : "live: servers answer"
        let place = file?.pathComponents.suffix(2).joined(separator: "/") ?? "made in code"
        return "\(Style.bold(description)) (\(place)), \(answers)"
    }
}
