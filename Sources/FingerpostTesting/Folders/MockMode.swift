import FingerpostFiles
import Foundation

/// The mode of a test run, which the environment variable `MOCKS` sets.
///
/// `MOCKS=record:Staging swift test` sends the calls of tests with the trait `.recording` to the server of the
/// environment `Staging`. The server's answers are written to the mocks folder. `MOCKS=drift:Staging` also sends these
/// calls, and compares the server's answers with the mocks. Mocks answer all other calls.
enum MockMode: Sendable, Hashable {
    /// The mocks answer.
    case serve
    /// Calls are sent to the environment's server, and the server's answers are written to the mocks folder.
    case record(environment: String)
    /// Calls are sent to the environment's server, and the server's answers are compared with the mocks.
    case drift(environment: String)

    /// The name of the environment variable.
    static let variable = "MOCKS"

    private static let verbs = ["record", "drift"]

    /// The mode that `MOCKS` selects for this process.
    ///
    /// - Throws: `FileProblem` if the value of `MOCKS` is invalid. The error suggests a valid value.
    static func current() throws(FileProblem) -> MockMode {
        try ofProcess.get()
    }

    private static let ofProcess = Result { () throws(FileProblem) in
        let mode = try MockMode(variables: ProcessInfo.processInfo.environment)
        guard case .drift(let name) = mode, !TestProcess.isCurrent else { return mode }
        throw problem("\"drift:\(name)\" is for tests", fix: "set it for swift test alone")
    }

    /// The name of the environment whose server receives calls; nil if mocks answer all calls.
    var environment: String? {
        switch self {
        case .serve: nil
        case .record(let environment), .drift(let environment): environment
        }
    }

    /// - Parameter variables: the environment variables.
    /// - Throws: `FileProblem` if the value of `MOCKS` is invalid. The error suggests a valid value.
    init(variables: [String: String]) throws(FileProblem) {
        guard let text = variables[variable: Self.variable] else {
            self = .serve
            return
        }
        let (before, name) = text.cut(at: ":") ?? (text[...], "")
        let verb = String(before)
        guard Self.verbs.contains(verb) else {
            throw Self.problem(
                "\"\(text)\" is not a valid mode" + NearestName.hint(verb, in: Self.verbs),
                fix: "set it to record:<environment> or drift:<environment>, or unset it")
        }
        guard !name.isEmpty else {
            throw Self.problem(
                "\"\(text)\" does not name an environment",
                fix: "set it to \(verb):<environment>, as in \(verb):Staging")
        }
        let environment = String(name)
        self = verb == "record" ? .record(environment: environment) : .drift(environment: environment)
    }

    private static func problem(_ message: String, fix: String) -> FileProblem {
        ValueSource.variable(variable).problem(message, fix: fix)
    }
}
