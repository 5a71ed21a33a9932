import Fingerpost
import FingerpostTransfers
import Foundation

/// A command-line client for GitHub's REST API. Start reading at ``GitHub``.
@main
struct Demo {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard !words.contains("--help"), !words.contains("-h") else { return print(Arguments.usage) }
        guard let arguments = Arguments(words) else {
            // The exit status EX_USAGE from sysexits.h.
            stop("invalid command: \(words.joined(separator: " "))\nFor usage: swift run Demo --help", status: 64)
        }
        do {
            try await run(arguments)
        } catch {
            stop("\(error)", status: 1)
        }
    }

    private static func run(_ arguments: Arguments) async throws {
        let environment = try Environment.load(arguments.environment)
        let client = try APIClient(APIClient.Configuration(gitHub: environment))
        let place = environment.file?.pathComponents.suffix(2).joined(separator: "/") ?? "made in code"
        let answers = environment.isSealed ? "sealed: mocks answer, nothing is sent" : "live: servers answer"
        print("\(Terminal.bold(environment.description)) (\(place)), \(answers)")
        if let route = arguments.route {
            try await call(route, mock: arguments.mock, client)
        } else {
            try await Tour(client: client).run(isSealed: environment.isSealed)
        }
    }

    private static func call(_ command: GitHub, mock: String?, _ client: APIClient) async throws(APIError) {
        var route = Route(of: command)
        if let mock { route.mock = MockName(rawValue: mock) }
        switch command {
        case .user: print(try await client.send(route, as: User.self).table)
        case .repos(_, let page):
            let list = try await client.send(route, as: [Repository].self)
            print(list.isEmpty ? "No repositories on page \(page)." : Repository.table(list))
        case .createRepo: print("Created \(try await client.send(route, as: Repository.self).htmlUrl)")
        case .archive: try await download(command, client)
        case .limits, .notifications, .token, .activity: break  // Only the tour calls these cases.
        }
    }

    static func download(_ archive: GitHub, _ client: APIClient) async throws(APIError) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("swift-argument-parser.tar.gz")
        try await client.download(archive, to: file, resuming: false, progress: Terminal.isOutput ? Terminal.show : nil)
        print("Downloaded \(file.lastPathComponent)")
        // Delete the file, because the demo is over. If the file was already deleted, the error does not matter.
        try? FileManager.default.removeItem(at: file)
    }

    private static func stop(_ message: String, status: Int32) -> Never {
        // Standard output is buffered; flush it so that the error is printed last.
        fflush(nil)
        // If standard error is closed, the exit code still reports the failure.
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
        exit(status)
    }
}

extension APIClient.Configuration {
    /// The settings that all calls to GitHub share. The plugin generates the properties `timeout` and `githubToken`
    /// from the keys in `Environments/`, so a misspelled property does not compile.
    fileprivate init(gitHub environment: Environment) {
        self.init()
        self.environment = environment
        timeout = .seconds(environment.timeout)
        authorization = environment.githubToken.map { .bearer($0.reveal()) }
        // https://docs.github.com/rest recommends both headers.
        headers = [.accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"]
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        observers = [CallLines()]
    }
}

/// Prints a line for each call when it has ended: `GET users/octocat 200 from the mock user`. An app would use
/// `CallLogger`, which also describes errors. The demo prints errors itself.
private struct CallLines: CallObserver {
    func finished(_ call: LoggedCall) {
        var line = call.line
        if case .mock? = call.source { line += " from the mock \(call.name)" }
        print(Terminal.dim(line))
    }
}
