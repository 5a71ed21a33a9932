import Fingerpost
import Foundation

/// A command line for GitHub's REST API. Start reading at ``GitHub``.
@main
struct Demo {
    static func main() async {
        do {
            try await run(try Arguments(CommandLine.arguments.dropFirst()))
        } catch let error as UsageError {
            // EX_USAGE of sysexits.h
            stop("\(error)\nswift run Demo --help shows what there is.", status: 64)
        } catch {
            stop("\(error)", status: 1)
        }
    }

    private static func run(_ arguments: Arguments) async throws {
        guard arguments.command != .help else {
            print(Command.usage)
            return
        }
        let token = try BearerToken()
        let environment = try environment(named: arguments.environment)
        var configuration = try APIClient.Configuration(gitHub: environment)
        configuration.middleware = [CallLog()] + (token.map { [$0] } ?? [])
        let client = try APIClient(configuration)

        print(environment.summary)
        try await arguments.command.run(client, in: environment)
    }

    /// The one that is asked for. Testing is the default, so that the demo runs anywhere, and without a network.
    private static func environment(named name: String?) throws(EnvironmentError) -> Environment {
        let variable = ProcessInfo.processInfo.environment["APP_ENVIRONMENT"] ?? ""
        return try .load(name ?? (variable.isEmpty ? "Testing" : nil))
    }

    private static func stop(_ message: String, status: Int32) -> Never {
        // What was printed before stands before.
        fflush(nil)
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(status)
    }
}

extension Environment {
    fileprivate var summary: String {
        let answers = isSealed ? "sealed: mocks answer, nothing is sent" : "live: servers answer"
        return "Environment \(description) (\(file?.inFolder ?? "made in code")), \(answers)"
    }
}
