package import FingerpostFiles
import Foundation

/// What a run of tests does with the mocks: the process variable `MOCKS`.
///
/// `MOCKS=record:Staging swift test --filter …` asks the server of the environment `Staging` and writes its answers to the folder of
/// the mocks; `MOCKS=drift:Staging` compares the two. Without the variable the mocks answer.
package enum MockMode: Sendable, Hashable {
    /// The mocks answer.
    case serve
    /// The server of the environment answers, and its answers become the mocks.
    case record(environment: String)
    /// The server's answers are compared with the mocks.
    case drift(environment: String)

    package static let variable = "MOCKS"

    private static let verbs = ["record", "drift"]

    /// The mode of this process.
    ///
    /// - Throws: `FileProblem` for a value that means nothing, with the nearest one that does.
    package static func current() throws(FileProblem) -> MockMode {
        try MockMode(ProcessInfo.processInfo.environment[variable])
    }

    /// - Parameter text: the variable's value; nil where it is not set.
    package init(_ text: String?) throws(FileProblem) {
        guard let text else {
            self = .serve
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let verb = String(parts.first ?? "")
        guard Self.verbs.contains(verb) else {
            throw Self.problem(
                "\"\(text)\" is no mode" + NearestName.hint(verb, in: Self.verbs),
                fix: "set it to record:<environment> or drift:<environment>, or unset it")
        }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw Self.problem(
                "\"\(text)\" names no environment", fix: "set it to \(verb):<environment>, as in \(verb):Staging")
        }
        let environment = String(parts[1])
        self = verb == "record" ? .record(environment: environment) : .drift(environment: environment)
    }

    private static func problem(_ message: String, fix: String) -> FileProblem {
        ValueSource.variable(variable).problem(message, fix: fix)
    }
}
