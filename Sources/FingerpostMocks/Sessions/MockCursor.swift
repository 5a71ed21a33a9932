import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles

/// Counts how far calls have used one response: of a variant in the folder, of code, or of a scenario.
struct MockCursor: Sendable {
    /// A response with its own cursor: one variant of one mock, or a response set in code.
    struct Source: Hashable, CustomStringConvertible {
        let mock: MockName
        var variant: String?
        /// The number of a response set in code, followed by the indices in nested sequences; empty for one from a
        /// file.
        var place: [Int64] = []

        var description: String { "\"\(mock)\"" + (variant.map { ", variant \"\($0)\"" } ?? "") }
    }

    /// The number of calls that used the response.
    private(set) var used = 0
    /// The number of responses in the sequence; nil for one response to all calls.
    var count: Int?
    /// How often calls must use the response; nil for any number of times.
    var times: Int?
    /// True if all responses of the sequence must be used.
    var mustEnd = false

    /// Takes the next position.
    mutating func claim() -> Int {
        defer { used += 1 }
        return used
    }

    var isUnread: Bool { mustEnd && used < count ?? 0 }

    /// Says how many responses the sequence has, and how many of these calls used.
    var unread: String {
        let count = count ?? 0
        let used = used == 0 ? "no call used \(count == 1 ? "it" : "them")" : "calls used only \(used)"
        return "the sequence has \(count.inWords("answer")), but \(used)"
    }

    /// Says what is wrong with the number of calls; nil if the number is right.
    ///
    /// - Parameter says: the text that says who sets the number.
    func unmet(_ says: String) -> String? {
        guard let times, times != used else { return nil }
        if let problem = StubResponse.problem(ofTimes: times) { return "\(says): \(problem.message)" }
        return "\(says) must be used \(Self.inWords(times)), but calls used it \(Self.inWords(used))"
    }

    private static func inWords(_ times: Int) -> String { times == 1 ? "once" : "\(times) times" }
}
