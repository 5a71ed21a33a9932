import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles

/// Counts how often calls have used one response. The response comes from the folder, from code or from a scenario.
struct MockCursor: Sendable {
    /// Identifies a response whose uses are counted: one variant of one mock, or a response set in code.
    struct Source: Hashable, CustomStringConvertible {
        let mock: MockName
        var variant: String?
        /// The number of a response set in code, followed by the indices in nested sequences. Empty for a response from
        /// a file.
        var place: [Int64] = []

        var description: String { "\"\(mock)\"" + (variant.map { ", variant \"\($0)\"" } ?? "") }
    }

    /// The number of calls that used the response.
    private(set) var used = 0
    /// The number of responses in the sequence. Nil for a single response to all calls.
    var count: Int?
    /// The number of calls that must use the response. Nil for any number.
    var times: Int?
    /// True if all responses of the sequence must be used.
    var mustEnd = false

    /// Returns the next position.
    mutating func claim() -> Int {
        defer { used += 1 }
        return used
    }

    var isUnread: Bool { mustEnd && used < count ?? 0 }

    /// The number of responses in the sequence and the number of used responses, as the text of a message.
    var unread: String {
        let count = count ?? 0
        let used = used == 0 ? "no call used \(count == 1 ? "it" : "them")" : "calls used only \(used)"
        return "the sequence has \(count.inWords("answer")), but \(used)"
    }

    /// If the number of calls is wrong, returns the text of a message. Otherwise returns nil.
    ///
    /// - Parameter says: the start of the text, which names the code or the file that sets the number.
    func unmet(_ says: String) -> String? {
        guard let times, times != used else { return nil }
        if let problem = StubResponse.problem(ofTimes: times) { return "\(says): \(problem.message)" }
        return "\(says) must be used \(Self.inWords(times)), but calls used it \(Self.inWords(used))"
    }

    private static func inWords(_ times: Int) -> String { times == 1 ? "once" : "\(times) times" }
}
