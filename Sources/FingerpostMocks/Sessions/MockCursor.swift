import FingerpostDocuments
import FingerpostMockFiles

/// How far calls have used one answer: that of a mock and variant in the folder, or one set in code.
struct MockCursor: Sendable {
    /// The number of calls that used it.
    private(set) var used = 0
    /// The number of answers in its sequence; nil for one answer to all calls.
    let count: Int?
    /// How often it must be used; nil for any number of times.
    var times: Int?
    /// True if all answers of the sequence must be used.
    var mustEnd: Bool

    init(count: Int?, times: Int? = nil, mustEnd: Bool) {
        (self.count, self.times, self.mustEnd) = (count, times, mustEnd)
    }

    /// Takes the next position.
    mutating func claim() -> Int {
        defer { used += 1 }
        return used
    }

    var isUnread: Bool { mustEnd && used < count ?? 0 }

    /// How many answers the sequence has, and how many of them calls used.
    var unread: String {
        let count = count ?? 0
        let used = used == 0 ? "no call used \(count == 1 ? "it" : "them")" : "calls used only \(used)"
        return "the sequence has \(count.inWords("answer")), but \(used)"
    }

    /// What is wrong with the number of calls; nil if there is nothing.
    ///
    /// - Parameter says: who says how often it must be used.
    func unmet(_ says: String) -> String? {
        guard let times, times != used else { return nil }
        return "\(says) must be used \(times.times), but calls used it \(used.times)"
    }
}

extension Int {
    /// This number of times, in words: `once`, or `3 times`.
    var times: String { self == 1 ? "once" : "\(self) times" }
}
